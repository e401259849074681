# task: layernorm_w8a8
# style: a helper named quantize, a weight scale that is computed anew in every call, not kept
import math

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def quantize(x, scale):
    q = libdevice.rint(tl.div_rn(x, tl.zeros_like(x) + tl.where(scale > 0, scale, 1.0)))
    return tl.minimum(tl.maximum(q, -127.0), 127.0)


@triton.jit
def scale_kernel(w_ptr, t_ptr, n, BLOCK: tl.constexpr):
    top = tl.zeros((BLOCK,), tl.float32)
    for s in range(0, n, BLOCK):
        k = s + tl.arange(0, BLOCK)
        top = tl.maximum(top, tl.abs(tl.load(w_ptr + k, mask=k < n, other=0.0)))
    tl.store(t_ptr, tl.max(top, 0) / 127.0)


@triton.jit
def norm_kernel(x_ptr, w_ptr, b_ptr, t_ptr, y_ptr, n, EPS: tl.constexpr, WEIGHT: tl.constexpr, BIAS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n
    k = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + k, mask=k < n, other=0.0)
    mean = tl.sum(x, 0) / n
    d = tl.where(k < n, x - mean, 0.0)
    z = d / tl.sqrt(tl.sum(d * d, 0) / n + EPS)
    s = tl.max(tl.abs(z), 0) / 127.0
    q = quantize(z, s)
    if WEIGHT:
        t = tl.load(t_ptr)
        q = q * quantize(tl.load(w_ptr + k, mask=k < n, other=0.0), t)
        s = s * t
    y = s * q
    if BIAS:
        y += tl.load(b_ptr + k, mask=k < n, other=0.0)
    tl.store(y_ptr + row + k, y, mask=k < n)


def layernorm_w8a8(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    x = input.contiguous()
    n = math.prod(normalized_shape) if not isinstance(normalized_shape, int) else normalized_shape
    y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        t = torch.empty((1,), dtype=torch.float32, device=x.device)
        w = weight.contiguous() if weight is not None else x
        b = bias.contiguous() if bias is not None else x
        if weight is not None:
            scale_kernel[(1,)](w, t, n, BLOCK=256)
        norm_kernel[(x.numel() // n,)](x, w, b, t, y, n, EPS=float(eps), WEIGHT=weight is not None, BIAS=bias is not None, BLOCK=triton.next_power_of_2(n))
    return y
