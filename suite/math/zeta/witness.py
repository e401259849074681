"""Hurwitz zeta function in Triton: the sum over k of 1 / (q + k)^x.

The first terms are added one by one, the rest follows from the Euler-Maclaurin formula: an integral, half of the next
term, and corrections with Bernoulli numbers. float32 needs fewer terms before the formula holds.
"""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def zeta_kernel(x_ptr, q_ptr, y_ptr, n, STEPS: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=2.0).to(ACC)
    q = tl.load(q_ptr + offsets, mask=mask, other=1.0).to(ACC)
    terms = tl.zeros([BLOCK], ACC)
    for k in tl.static_range(STEPS):
        terms += tl.exp2(-x * tl.log2(q + k))
    b = q + STEPS
    v = 1.0 / b
    w = v * v
    factor = x * v
    s = factor * (1.0 / 12.0)
    factor *= (x + 1.0) * (x + 2.0) * w
    s -= factor * (1.0 / 720.0)
    factor *= (x + 3.0) * (x + 4.0) * w
    s += factor * (1.0 / 30240.0)
    factor *= (x + 5.0) * (x + 6.0) * w
    s -= factor * (1.0 / 1209600.0)
    factor *= (x + 7.0) * (x + 8.0) * w
    s += factor * (1.0 / 47900160.0)
    factor *= (x + 9.0) * (x + 10.0) * w
    s -= factor * (691.0 / 1307674368000.0)
    factor *= (x + 11.0) * (x + 12.0) * w
    s += factor * (1.0 / 74724249600.0)
    factor *= (x + 13.0) * (x + 14.0) * w
    s -= factor * (3617.0 / 10670622842880000.0)
    y = terms + tl.exp2(-x * tl.log2(b)) * (b / (x - 1.0) + 0.5 + s)
    # Where there is no such sum: x < 1, and q < 0, whose logarithm was NaN already; x = 1 and whole q <= 0 are poles.
    y = tl.where((q <= 0.0) & (q == tl.floor(q)), float("inf"), y)
    y = tl.where(x < 1.0, float("nan"), tl.where(x == 1.0, float("inf"), y))
    tl.store(y_ptr + offsets, y, mask=mask)


def zeta(input, other, out=None):
    x, q = (t.contiguous() for t in torch.broadcast_tensors(input, other))
    y = out if out is not None and out.is_contiguous() else torch.empty_like(x)
    if x.numel() > 0:
        steps, acc = (10, tl.float64) if x.dtype == torch.float64 else (5, tl.float32)
        zeta_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, q, y, x.numel(), steps, acc, BLOCK, num_warps=4)
    return y if out is None or y is out else out.copy_(y)
