"""Elements where a mask is true, in Triton, in three steps.

Count the true flags of each block, turn the counts into each block's first place in the result, copy. The order is kept
and nothing depends on which block runs first.
"""
import torch
import triton
import triton.language as tl

BLOCK = 2048


@triton.jit
def count_kernel(mask_ptr, counts_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    flags = tl.load(mask_ptr + offsets, mask=offsets < n, other=0)
    tl.store(counts_ptr + tl.program_id(0), tl.sum((flags != 0).to(tl.int32), axis=0))


@triton.jit
def starts_kernel(counts_ptr, starts_ptr, blocks, BLOCK: tl.constexpr):
    """One program: starts[b] = counts[0] + ... + counts[b - 1], and the total at starts[blocks]."""
    total = tl.zeros((), tl.int64)
    for first in range(0, blocks, BLOCK):
        offsets = first + tl.arange(0, BLOCK)
        counts = tl.load(counts_ptr + offsets, mask=offsets < blocks, other=0).to(tl.int64)
        tl.store(starts_ptr + offsets, total + tl.cumsum(counts, axis=0) - counts, mask=offsets < blocks)
        total += tl.sum(counts, axis=0)
    tl.store(starts_ptr + blocks, total)


@triton.jit
def copy_kernel(x_ptr, mask_ptr, starts_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    chosen = (tl.load(mask_ptr + offsets, mask=inside, other=0) != 0) & inside
    flags = chosen.to(tl.int32)
    places = tl.load(starts_ptr + tl.program_id(0)) + tl.cumsum(flags, axis=0) - flags
    x = tl.load(x_ptr + offsets, mask=chosen, other=0)
    tl.store(y_ptr + places, x, mask=chosen)


def masked_select(input, mask):
    shape = torch.broadcast_shapes(input.shape, mask.shape)
    x, mask = input.expand(shape).contiguous(), mask.expand(shape).contiguous()
    n = x.numel()
    if n == 0:
        return torch.empty(0, dtype=x.dtype, device=x.device)
    blocks = triton.cdiv(n, BLOCK)
    counts = torch.empty(blocks, dtype=torch.int32, device=x.device)
    starts = torch.empty(blocks + 1, dtype=torch.int64, device=x.device)
    count_kernel[(blocks,)](mask, counts, n, BLOCK, num_warps=8)
    starts_kernel[(1,)](counts, starts, blocks, 4096, num_warps=16)
    y = torch.empty(starts[blocks].item(), dtype=x.dtype, device=x.device)
    copy_kernel[(blocks,)](x, mask, starts, y, n, BLOCK, num_warps=8)
    return y
