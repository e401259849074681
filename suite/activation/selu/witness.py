"""SELU in Triton: one program a block of consecutive elements, in place where input lies in one piece.

The two constants stay constexpr: as variables they would be float32, also where the data are float64.
"""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def selu_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
    scale: tl.constexpr = 1.0507009873554805
    alpha: tl.constexpr = 1.6732632423543772
    # The exponential is taken of negative x only, so it cannot overflow. A NaN is not < 0 and becomes scale * NaN.
    below = scale * alpha * (tl.exp(tl.where(x < 0, x, 0.0)) - 1.0)
    tl.store(y_ptr + offsets, tl.where(x < 0, below, scale * x), mask=mask)


def selu(input, inplace=False):
    x = input.contiguous()
    y = x if inplace and x is input else torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        grid = (triton.cdiv(x.numel(), BLOCK),)
        selu_kernel[grid](x, y, x.numel(), acc, BLOCK, num_warps=4)
    if inplace and y is not input:
        return input.copy_(y)  # input has gaps or another order of dimensions
    return y
