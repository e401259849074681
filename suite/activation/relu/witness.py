"""ReLU in Triton: one program a block of consecutive elements, in place where input lies in one piece."""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0)
    # A NaN is not <= 0, so it stays; max(x, 0) would drop it.
    tl.store(y_ptr + offsets, tl.where(x <= 0, tl.zeros_like(x), x), mask=mask)


def relu(input, inplace=False):
    x = input.contiguous()
    y = x if inplace and x is input else torch.empty_like(x)
    if x.numel() > 0:
        grid = (triton.cdiv(x.numel(), BLOCK),)
        relu_kernel[grid](x, y, x.numel(), BLOCK, num_warps=4)
    if inplace and y is not input:
        return input.copy_(y)  # input has gaps or another order of dimensions
    return y
