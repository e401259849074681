"""Clocks."""

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


import time  # expect: clock_access
from time import perf_counter as now  # expect: clock_access
from triton.testing import do_bench  # expect: clock_access

start = time.time()  # expect: clock_access
begin = torch.cuda.Event(enable_timing=True)  # expect: clock_access
torch.cuda.synchronize()

timeout = 3  # time.time()
text = "time.perf_counter()"


def embed(time):
    """Here time is a tensor."""
    return time.time


if __name__ == "__main__":
    print(time.time())
