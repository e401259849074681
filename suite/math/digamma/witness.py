"""Digamma function in Triton: reflection for negative arguments, recurrence up to 10, asymptotic series there."""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def digamma_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=1.0).to(ACC)
    # x < 0: digamma(x) = digamma(1 - x) - pi / tan(pi x), with x reduced to its distance r from a whole number first.
    r = x - tl.floor(x + 0.5)
    angle = 3.141592653589793 * r
    cotangent = tl.where(r == 0.0, float("nan"), tl.cos(angle) / tl.sin(angle))
    y = tl.where(x < 0, 1.0 - x, x)
    # digamma(y) = digamma(y + 1) - 1 / y, up to y >= 10.
    steps = tl.zeros([BLOCK], ACC)
    for _ in tl.static_range(10):
        below = y < 10.0
        steps += tl.where(below, 1.0 / y, 0.0)
        y = tl.where(below, y + 1.0, y)
    # There ln y - 1 / (2 y) - sum of B_2k / (2k y^2k), to the twelfth power.
    w = 1.0 / (y * y)
    s = 0.021092796092796094 - w * 0.08333333333333333
    s = 0.007575757575757576 - w * s
    s = 0.004166666666666667 - w * s
    s = 0.003968253968253968 - w * s
    s = 0.008333333333333333 - w * s
    s = 0.08333333333333333 - w * s
    psi = tl.log(y) - 0.5 / y - w * s - steps
    tl.store(y_ptr + offsets, tl.where(x < 0, psi - 3.141592653589793 * cotangent, psi), mask=mask)


def digamma(input_tensor):
    x = input_tensor.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        digamma_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, y, x.numel(), acc, BLOCK, num_warps=4)
    return y
