# task: gelu
# style: autotune with warmup and rep arguments, use_cuda_graph and a key that is a constexpr
import torch
import triton
import triton.language as tl

INV_SQRT2 = tl.constexpr(0.7071067811865476)


@triton.autotune(
    configs=[triton.Config(kwargs={"BLOCK": 256 << i}, num_warps=2 << i) for i in range(2)],
    key=["n", "TANH"], warmup=5, rep=20,
)
@triton.jit
def gelu_kernel(x_ptr, y_ptr, n, TANH: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
    if TANH:
        u = 1.5957691216057308 * (x + 0.044715 * x * x * x)
        y = x / (1 + tl.exp(-u))
        y = tl.where(x == float("inf"), x, y)
        y = tl.where(x < -100.0, 0.0, y)
    else:
        y = x * 0.5 * (1 + tl.erf(x * INV_SQRT2))
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def gelu(input, approximate="none"):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        gelu_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]), 1)](x, y, n, TANH=approximate == "tanh", ACC=acc)
    return y
