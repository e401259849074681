# task: matmul_fp16
# kernels: fla/ops/utils/matmul.py: leaky_relu, sigmoid, tanh, relu, matmul_kernel
# constants: exp = tl.exp; autotune_cache_kwargs = {}
import math


def matmul_fp16(input, other):
    a = input.unsqueeze(0) if input.dim() == 1 else input
    b = other.unsqueeze(1) if other.dim() == 1 else other
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    (M, K), N, B = a.shape[-2:], b.shape[-1], math.prod(batch)
    a, b = a.expand(*batch, M, K).reshape(B, M, K), b.expand(*batch, K, N).reshape(B, K, N)
    c = torch.empty((B, M, N), dtype=torch.float16, device=a.device)
    if M * N > 0:
        for i in range(B):
            one = c[i : i + 1]
            grid = lambda meta: (1, triton.cdiv(M, meta["BM"]), triton.cdiv(N, meta["BN"]))
            matmul_kernel[grid](a[i : i + 1], b[i], one, None, None, None, M, N, K, *a.stride(), *b.stride()[1:], *one.stride(),
                                ACTIVATION="", ALLOW_TF32=True, HAS_INPUT=False)
    return c.view([*batch, *([M] if input.dim() > 1 else []), *([N] if other.dim() > 1 else [])])
