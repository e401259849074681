"""functools caches over tensors."""

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


import functools
from functools import lru_cache


@functools.lru_cache(maxsize=None)  # expect: global_tensor_cache
def annotated(x: torch.Tensor):
    """Take a tensor."""
    return x


@lru_cache  # expect: global_tensor_cache
def used(x):
    """Use x as a tensor."""
    return x.shape[0] * x.stride(0)


@lru_cache(maxsize=8)
def blocks(n, device):
    """Honest: numbers and devices."""
    return triton.next_power_of_2(n), torch.cuda.get_device_properties(device)


RESULTS = [annotated, used, blocks]
