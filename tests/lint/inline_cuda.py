"""Device code in other languages."""

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


from torch.utils.cpp_extension import load_inline  # expect: inline_cuda
from torch.utils import cpp_extension  # expect: inline_cuda
import cupy as cp  # expect: inline_cuda
from numba import cuda  # expect: inline_cuda

k = torch.cuda._compile_kernel("...", "f")  # expect: inline_cuda
j = torch.cuda.jiterator._create_jit_fn("...")  # expect: inline_cuda

# load_inline(name="x") would compile CUDA
SOURCE = "__global__ void f() {}; torch.utils.cpp_extension.load_inline"
cuda_kernel = torch.cuda.current_stream
