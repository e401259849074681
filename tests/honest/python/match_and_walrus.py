# task: logit
# style: match statements, walrus, positional-only helpers, nested f-strings, a Flag enum
from enum import Enum, auto

import torch
import triton
import triton.language as tl


class Clamp(Enum):
    NONE = auto()
    EPS = auto()


@triton.jit
def logit_kernel(x_ptr, y_ptr, n, EPS: tl.constexpr, CLAMP: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.5).to(ACC)
    if CLAMP:
        low, high = tl.full((BLOCK,), EPS, ACC), tl.full((BLOCK,), 1.0 - EPS, ACC)
        x = tl.where(x < low, low, tl.where(x > high, high, x))
    # Near 1/2 the quotient is near 1: its logarithm by a series of d = (2x - 1).
    d = 2.0 * x - 1.0
    s = d * d
    near = 2.0 * d * (1.0 + s * (1.0 / 3 + s * (0.2 + s * (1.0 / 7 + s * (1.0 / 9 + s * (1.0 / 11 + s * (1.0 / 13)))))))
    far = tl.log(x / (1.0 - x))
    y = tl.where(tl.abs(d) < 0.1, near, far)
    tl.store(y_ptr + i, y.to(y_ptr.dtype.element_ty), mask=i < n)


def plan(x, eps, /):
    match eps:
        case None:
            return Clamp.NONE, 0.0
        case int() | float():
            return Clamp.EPS, float(eps)
        case _:
            raise TypeError(f"eps of {f'{type(eps).__name__}'!r} for {x.dtype}")


def logit(input, eps=None, out=None):
    mode, value = plan(input, eps)
    x = input.contiguous()
    y = torch.empty_like(x)
    if (n := x.numel()) > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        logit_kernel[(triton.cdiv(n, 256),)](x, y, n, EPS=value, CLAMP=mode is Clamp.EPS, ACC=acc, BLOCK=256)
    return y if out is None else out.copy_(y)
