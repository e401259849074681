"""1 / sqrt(x) in Triton: one read, one write; the hardware has it as one instruction."""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def rsqrt_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=1.0).to(ACC)
    tl.store(y_ptr + offsets, tl.rsqrt(x), mask=mask)


def rsqrt(input, out=None):
    x = input.contiguous()
    y = out if out is not None and out.is_contiguous() else torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        rsqrt_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, y, x.numel(), acc, BLOCK, num_warps=4)
    return y if out is None or y is out else out.copy_(y)
