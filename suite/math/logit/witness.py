"""log(x / (1 - x)) in Triton, with the optional clamp before it: one read, one write."""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def logit_kernel(x_ptr, y_ptr, n, LOW: tl.constexpr, HIGH: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.5).to(ACC)
    if LOW is not None:
        low = tl.full([BLOCK], LOW, ACC)  # a bare number in a comparison would be rounded to float32
        high = tl.full([BLOCK], HIGH, ACC)
        x = tl.where(x < low, low, tl.where(x > high, high, x))  # NaN stays
    tl.store(y_ptr + offsets, tl.log(x / (1.0 - x)), mask=mask)


def logit(input, eps=None, out=None):
    x = input.contiguous()
    y = out if out is not None and out.is_contiguous() else torch.empty_like(x)
    high = None if eps is None else 1.0 - eps
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        grid = (triton.cdiv(x.numel(), BLOCK),)
        logit_kernel[grid](x, y, x.numel(), eps, high, acc, BLOCK, num_warps=4)
    return y if out is None or y is out else out.copy_(y)
