"""Cosine in Triton: one read, one write. tl.cos reduces arguments of any size exactly."""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def cos_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
    tl.store(y_ptr + offsets, tl.cos(x), mask=mask)


def cos(input_tensor):
    x = input_tensor.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        cos_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, y, x.numel(), acc, BLOCK, num_warps=4)
    return y
