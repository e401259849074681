"""A library answers when the kernel fails."""

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


def careless(x):
    """Fall back to torch."""
    try:
        kernel[(1,)](x, BLOCK=16)
        return x
    except Exception:
        return torch.relu(x)  # expect: silent_fallback


def careful(x):
    """Raise, or try another kernel; an import may fail."""
    try:
        import math
    except ImportError:
        return torch.relu(x)
    try:
        kernel[(1,)](x, BLOCK=math.floor(16.5))
    except RuntimeError as error:
        print(error)
        kernel[(1,)](x, BLOCK=8)
    return x


RESULTS = [careless, careful]
