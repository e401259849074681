"""Outside quantization tasks the operators are allowed."""

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


r = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8)
