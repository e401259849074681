"""What the grammar cannot read, and odd but right Python."""

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


print "python 2"  # expect: syntax_error
value = (1, 2  # expect: syntax_error
