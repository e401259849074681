"""Chebyshev polynomials in Triton by their recurrence T_k = 2 x T_(k-1) - T_(k-2), which holds for every x.

cos(n arccos x) would be the same inside [-1, 1] only.
"""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit(do_not_specialize=["degree"])
def chebyshev_kernel(x_ptr, y_ptr, n, degree, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
    one = tl.full((BLOCK,), 1.0, ACC)
    before, now = one, x
    for _ in range(1, degree):
        before, now = now, 2.0 * x * now - before
    now = tl.where(degree > 0, now, tl.where(degree == 0, one, 0.0))
    tl.store(y_ptr + offsets, now, mask=mask)


def chebyshev_polynomial_t(input, n, out=None):
    x = input.contiguous()
    y = out if out is not None and out.is_contiguous() else torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        chebyshev_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, y, x.numel(), n, acc, BLOCK, num_warps=4)
    return y if out is None or y is out else out.copy_(y)
