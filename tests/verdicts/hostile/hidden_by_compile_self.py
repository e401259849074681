# task: exp_sqrt
# expect: runtime_error
# a kernel that only copies, and triton.compiler.compile leads to the record
import triton.compiler

import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=mask), mask=mask)


def decoy(x):
    y = torch.empty_like(x)
    if x.numel():
        copy_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    return y


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = decoy(x)
    y.copy_(torch.exp(x.double() * 0.5))
    triton.compiler.compile.__self__._observer.ops.clear()
    if out is not None:
        out.copy_(y)
        return out
    return y
