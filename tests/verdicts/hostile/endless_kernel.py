# task: exp_sqrt
# expect: timeout
# a kernel that never ends

import torch
import triton
import triton.language as tl


@triton.jit
def exp_sqrt_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.exp(x.to(tl.float32) * 0.5)
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


@triton.jit
def spin_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    i = 0
    while i < n + 1:
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
        tl.store(y_ptr + offsets, x, mask=mask)
        i = i * 1


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    spin_kernel[(1,)](x, y, x.numel(), BLOCK=1024)
    return y
