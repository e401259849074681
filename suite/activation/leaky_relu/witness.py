"""Leaky ReLU in Triton: one program a block of consecutive elements, in place where input lies in one piece.

The slope is a constant of the kernel: as a plain argument it would be float32, also where the data are float64.
"""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def leaky_relu_kernel(x_ptr, y_ptr, n, slope: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
    tl.store(y_ptr + offsets, tl.where(x > 0, x, slope * x), mask=mask)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    x = input.contiguous()
    y = x if inplace and x is input else torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        grid = (triton.cdiv(x.numel(), BLOCK),)
        leaky_relu_kernel[grid](x, y, x.numel(), float(negative_slope), acc, BLOCK, num_warps=4)
    if inplace and y is not input:
        return input.copy_(y)  # input has gaps or another order of dimensions
    return y
