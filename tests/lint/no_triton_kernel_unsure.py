"""Somebody may make a kernel with triton.jit."""
# expect-file: no_triton_kernel=warn

import triton
from helpers import decorate


@decorate(triton.jit)
def kernel(x):
    """Perhaps a kernel."""


def entry(x):
    """Call it."""
    kernel[(1,)](x)
