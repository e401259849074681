"""Names that are chosen at run time."""

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


import os
import sys
from operator import attrgetter  # expect: dynamic_attribute=warn

name = input_name = "sys" if torch.cuda.is_available() else "tem"
f = getattr(os, name)  # expect: dynamic_attribute
g = getattr(torch, name)  # expect: dynamic_attribute=warn
h = getattr(tl, name)  # expect: dynamic_attribute=note
entry(os)  # expect: dynamic_attribute
holder = [sys]  # expect: dynamic_attribute
space = globals()  # expect: dynamic_attribute=warn

i = getattr(torch, "float16")
j = getattr(entry, name)
k = os
if os is not None and hasattr(os, "cpu_count"):
    j = sys.version_info
