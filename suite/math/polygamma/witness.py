"""Polygamma functions in Triton: (-1)^(n+1) n! times the sum over k of 1 / (x + k)^(n+1).

The first terms are added one by one, the rest follows from the Euler-Maclaurin formula. Order 0, digamma, has no such
sum, but the same plan: its recurrence, then its asymptotic series.
"""
import math

import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def power(x, EXPONENT: tl.constexpr):
    result = x
    for _ in tl.static_range(EXPONENT - 1):
        result *= x
    return result


@triton.jit
def digamma_rest(b):
    """Digamma at b >= 10: ln b - 1 / (2 b) - sum of B_2k / (2k b^2k)."""
    w = 1.0 / (b * b)
    s = 0.021092796092796094 - w * 0.08333333333333333
    s = 0.007575757575757576 - w * s
    s = 0.004166666666666667 - w * s
    s = 0.003968253968253968 - w * s
    s = 0.008333333333333333 - w * s
    s = 0.08333333333333333 - w * s
    return tl.log(b) - 0.5 / b - w * s


@triton.jit
def zeta_rest(b, S: tl.constexpr):
    """The sum over k of 1 / (b + k)^S for b well above S: an integral, half of the first term, corrections."""
    v = 1.0 / b
    w = v * v
    factor = S * v
    s = factor * (1.0 / 12.0)
    factor *= (S + 1) * (S + 2) * w
    s -= factor * (1.0 / 720.0)
    factor *= (S + 3) * (S + 4) * w
    s += factor * (1.0 / 30240.0)
    factor *= (S + 5) * (S + 6) * w
    s -= factor * (1.0 / 1209600.0)
    factor *= (S + 7) * (S + 8) * w
    s += factor * (1.0 / 47900160.0)
    factor *= (S + 9) * (S + 10) * w
    s -= factor * (691.0 / 1307674368000.0)
    factor *= (S + 11) * (S + 12) * w
    s += factor * (1.0 / 74724249600.0)
    factor *= (S + 13) * (S + 14) * w
    s -= factor * (3617.0 / 10670622842880000.0)
    return power(v, S) * (b * (1.0 / (S - 1)) + 0.5 + s)


@triton.jit
def polygamma_kernel(
    x_ptr, y_ptr, n, FACTOR: tl.constexpr, ORDER: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr
):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=1.0).to(ACC)
    # Negative arguments take as many steps more as the lowest of the block needs to come above 0; whole ones are poles.
    lowest = tl.min(tl.where((x < 0) & (x != tl.floor(x)), x, 0.0), axis=0)
    steps = 10 + ORDER - tl.floor(lowest).to(tl.int32)
    terms = tl.zeros([BLOCK], ACC)
    for k in range(steps):
        terms += power(1.0 / (x + k), ORDER + 1)
    b = x + steps
    if ORDER == 0:
        y = digamma_rest(b) - terms
    else:
        y = (zeta_rest(b, ORDER + 1) + terms) * FACTOR
    tl.store(y_ptr + offsets, y, mask=mask)


def polygamma(n, input, *, out=None):
    if n < 0:
        raise RuntimeError("polygamma: the order must not be negative")
    x = input.contiguous()
    y = out if out is not None and out.is_contiguous() else torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        factor = (-1.0) ** (n + 1) * math.factorial(n)
        polygamma_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, y, x.numel(), factor, n, acc, BLOCK, num_warps=4)
    return y if out is None or y is out else out.copy_(y)
