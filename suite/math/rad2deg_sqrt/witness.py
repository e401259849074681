"""Degrees and square root in Triton: one read, two writes."""
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

BLOCK = 1024


@triton.jit
def rad2deg_sqrt_kernel(x_ptr, degrees_ptr, root_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
    tl.store(degrees_ptr + offsets, x * 57.29577951308232, mask=mask)  # 180 / pi
    tl.store(root_ptr + offsets, libdevice.sqrt(x), mask=mask)


def rad2deg_sqrt(input):
    x = input.contiguous()
    degrees, root = torch.empty_like(x), torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        rad2deg_sqrt_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, degrees, root, x.numel(), acc, BLOCK, num_warps=4)
    return degrees, root
