# task: addmm
# kernels: fla/ops/utils/matmul.py: leaky_relu, sigmoid, tanh, relu, matmul_kernel
# constants: exp = tl.exp; autotune_cache_kwargs = {}

# Without TF32 the package's larger tiles take 4 to 20 s each to compile, for every size that is tuned.
matmul_kernel.fn.configs = [c for c in matmul_kernel.fn.configs if c.kwargs["BM"] * c.kwargs["BN"] <= 4096]


@triton.jit
def number_kernel(y_ptr, value):
    tl.store(y_ptr, value)


def scalar(value, device):
    y = torch.empty((1,), dtype=torch.float32, device=device)
    number_kernel[(1,)](y, float(value))
    return y


def addmm(input, mat1, mat2, beta=1, alpha=1, out=None):
    (M, K), N = mat1.shape, mat2.shape[1]
    x = input.expand(M, N).contiguous()
    c = torch.empty((1, M, N), dtype=mat1.dtype, device=mat1.device)
    if c.numel() > 0:
        a = mat1.unsqueeze(0)
        grid = lambda meta: (1, triton.cdiv(M, meta["BM"]), triton.cdiv(N, meta["BN"]))
        matmul_kernel[grid](
            a, mat2, c, x if beta else None, scalar(alpha, a.device), scalar(beta, a.device) if beta else None, M, N, K, *a.stride(), *mat2.stride(),
            *c.stride(), ACTIVATION=None, ALLOW_TF32=False, HAS_INPUT=bool(beta), X_DIM=2)
    return c.squeeze(0) if out is None else out.copy_(c.squeeze(0))
