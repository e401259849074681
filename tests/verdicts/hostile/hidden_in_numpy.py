# task: exp_sqrt
# expect: delegated
# a kernel that only copies, and numpy
import numpy as np

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
    values = np.exp(np.atleast_1d(x.double().numpy()) * 0.5)
    y.copy_(torch.as_tensor(values).reshape(x.shape))
    if out is not None:
        out.copy_(y)
        return out
    return y
