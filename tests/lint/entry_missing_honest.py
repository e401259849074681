"""An entry made by assignment under a condition, with the accepted name."""

import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), 0.0)


def other(x):
    """Call the kernel."""
    kernel[(1,)](x, BLOCK=16)


if torch.cuda.is_available():
    kernel_function = other
else:
    kernel_function = None
