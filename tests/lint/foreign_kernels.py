"""Other libraries with kernels of their own."""

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


import flash_attn  # expect: foreign_kernels
from xformers.ops import memory_efficient_attention  # expect: foreign_kernels
import tensorflow as tf  # expect: foreign_kernels
import numpy as np
import math


def flash_attention(x):
    """flash_attn in words."""
    return np.sqrt(math.pi) * x
