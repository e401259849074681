"""Native memory."""

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


import ctypes  # expect: native_access
from cffi import FFI  # expect: native_access
import mmap as m  # expect: native_access

r = torch.cuda.cudart()  # expect: native_access
s = torch._C._get_tracing_state()  # expect: native_access=warn

aligned = torch.empty(3).data_ptr() % 16 == 0
ctypes_like = "ctypes.cdll"  # import ctypes
