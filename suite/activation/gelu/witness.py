"""GELU in Triton: an elementwise kernel, one program a block of consecutive elements."""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def gelu_kernel(x_ptr, y_ptr, n, TANH: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
    if TANH:
        inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)
        # 0.5 * (1 + tanh(z)) is the logistic function of 2 z; exp of a large number may overflow to inf, which gives 0.
        phi = 1.0 / (1.0 + tl.exp(-2.0 * inner))
    else:
        phi = 0.5 * (1.0 + tl.erf(x * 0.7071067811865476))
    tl.store(y_ptr + offsets, x * phi, mask=mask)


def gelu(input, approximate="none"):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        gelu_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, y, x.numel(), approximate == "tanh", acc, BLOCK, num_warps=4)
    return y
