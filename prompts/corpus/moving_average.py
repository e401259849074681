"""Stencil: the mean of each element and its neighbours up to a radius, zeros beyond the ends. Overlapping loads are served by the cache."""
import torch
import triton
import triton.language as tl


@triton.jit
def moving_average_kernel(x_ptr, out_ptr, n, RADIUS: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for step in tl.static_range(-RADIUS, RADIUS + 1):
        at = offsets + step
        total += tl.load(x_ptr + at, mask=(at >= 0) & (at < n), other=0.0).to(tl.float32)
    tl.store(out_ptr + offsets, (total / (2 * RADIUS + 1)).to(out_ptr.dtype.element_ty), mask=offsets < n)


def moving_average(x, radius):
    x = x.contiguous()
    out = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        moving_average_kernel[(triton.cdiv(n, 512),)](x, out, n, RADIUS=radius, BLOCK=512)
    return out
