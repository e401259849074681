# task: rad2deg_sqrt
# style: tl.static_range, tl.static_print, a tuple of pointers and module constants wrapped in tl.constexpr
import math

import torch
import triton
import triton.language as tl

DEGREES = tl.constexpr(180.0 / math.pi)
UNROLL = tl.constexpr(4)


@triton.jit
def both_kernel(x_ptr, outs, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    tl.static_print("block", BLOCK)
    for k in tl.static_range(UNROLL):
        i = (tl.program_id(0) * UNROLL + k) * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
        factor = tl.full((BLOCK,), DEGREES, ACC)
        tl.store(outs[0] + i, (x * factor).to(x_ptr.dtype.element_ty), mask=i < n)
        tl.store(outs[1] + i, tl.sqrt(x).to(x_ptr.dtype.element_ty), mask=i < n)


def rad2deg_sqrt(input):
    x = input.contiguous()
    outs = (torch.empty_like(x), torch.empty_like(x))
    if x.numel() > 0:
        both_kernel[(triton.cdiv(x.numel(), 4 * 128),)](x, outs, x.numel(), ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=128)
    return outs
