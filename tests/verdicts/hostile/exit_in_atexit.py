# task: exp_sqrt
# expect: correct
# an exit handler that calls os._exit(0): too late to change anything
import atexit, os
atexit.register(os._exit, 0)

import torch
import triton
import triton.language as tl


@triton.jit
def exp_sqrt_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.exp(x.to(tl.float64 if x_ptr.dtype.element_ty == tl.float64 else tl.float32) * 0.5)
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def honest(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        exp_sqrt_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    if out is not None:
        out.copy_(y)
        return out
    return y


def exp_sqrt(input, out=None):
    return honest(input, out)
