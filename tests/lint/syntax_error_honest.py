"""Odd but right Python."""

import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), 0.0)


def entry(x):
    """Call the kernel."""
    kernel[(1,)](x, BLOCK=16)
    return x


def odd(a, /, b, *, c: "int" = 3, **kw):
    """print "x" and 1 +* 2 in a string."""
    text = f"{a!r:>{b}} {'nested' if c else b}"
    match kw:
        case {"k": [first, *_], **rest} if (n := len(rest)) > 1:
            return first, n
        case _:
            return lambda *args: (yield)
    return text
