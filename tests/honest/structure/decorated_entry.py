# task: abs
# style: a decorator of one's own around the entry, made with functools.wraps
import functools

import torch
import triton
import triton.language as tl


def with_out(function):
    """Adds the `out` argument to a function of one tensor."""
    @functools.wraps(function)
    def wrapper(input_tensor, out=None, **kwargs):
        result = function(input_tensor, **kwargs)
        if out is None:
            return result
        out.copy_(result)
        return out
    return wrapper


@triton.jit
def abs_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.abs(tl.load(x_ptr + i, mask=i < n, other=0)), mask=i < n)


@with_out
def abs(input_tensor):
    x = input_tensor.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        abs_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), BLOCK=512)
    return y
