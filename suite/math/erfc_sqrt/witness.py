"""erfc(x) and sqrt(x) in Triton: one read, two writes. erfc is libdevice's, which is accurate in the tail too."""
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

BLOCK = 1024


@triton.jit
def erfc_sqrt_kernel(x_ptr, erfc_ptr, sqrt_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
    tl.store(erfc_ptr + offsets, libdevice.erfc(x), mask=mask)
    tl.store(sqrt_ptr + offsets, libdevice.sqrt(x), mask=mask)


def erfc_sqrt(input):
    x = input.contiguous()
    erfc, sqrt = torch.empty_like(x), torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        erfc_sqrt_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, erfc, sqrt, x.numel(), acc, BLOCK, num_warps=4)
    return erfc, sqrt
