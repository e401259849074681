"""Arcsine in Triton: a polynomial on [0, 1/2], and the half-angle formula beyond."""
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

BLOCK = 1024


@triton.jit
def asin_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
    # |x| <= 1/2: x + x^3 p(x^2). Beyond: asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)), an argument below 1/2 again.
    a = tl.abs(x)
    outer = a > 0.5
    z = tl.where(outer, (1.0 - a) * 0.5, a * a)
    r = tl.where(outer, libdevice.sqrt(z), a)  # NaN for |x| > 1
    p = 0.030718768995191097 * z - 0.024020544918554605
    p = p * z + 0.022553563638202982
    p = p * z + 0.000380853033290726
    p = p * z + 0.00879500607648843
    p = p * z + 0.008135829925501657
    p = p * z + 0.009792751320201996
    p = p * z + 0.011549086612987425
    p = p * z + 0.013965009932053607
    p = p * z + 0.017352757477819787
    p = p * z + 0.02237215927967998
    p = p * z + 0.030381944441363808
    p = p * z + 0.0446428571428834
    p = p * z + 0.07499999999999991
    p = p * z + 0.16666666666666666
    asin = r + r * z * p
    asin = tl.where(outer, 1.5707963267948966 - 2.0 * asin, asin)
    tl.store(y_ptr + offsets, tl.where(x < 0, -asin, asin), mask=mask)


def asin(input_tensor):
    x = input_tensor.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        asin_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, y, x.numel(), acc, BLOCK, num_warps=4)
    return y
