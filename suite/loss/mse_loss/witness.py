"""Mean squared error in Triton.

Without a reduction an elementwise kernel does it. Otherwise each program adds up one chunk of the losses in registers
and stores a single number; a last kernel of one program adds those up, always in the same order.
"""
import torch
import triton
import triton.language as tl

BLOCK = 1024
MOST_CHUNKS = 4096  # enough programs to fill any device, few enough for one program to add up


@triton.jit
def loss(x_ptr, target_ptr, at, mask, ACC: tl.constexpr):
    """The losses of a block; 0 where masked."""
    x = tl.load(x_ptr + at, mask=mask, other=0.0).to(ACC)
    difference = x - tl.load(target_ptr + at, mask=mask, other=0.0).to(ACC)
    return difference * difference


@triton.jit
def losses_kernel(x_ptr, target_ptr, out_ptr, n, BLOCK: tl.constexpr, ACC: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, loss(x_ptr, target_ptr, at, at < n, ACC), mask=at < n)


@triton.jit
def chunk_sums_kernel(x_ptr, target_ptr, sums_ptr, n, chunk, BLOCK: tl.constexpr, ACC: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * chunk
    total = tl.zeros((BLOCK,), ACC)
    for start in range(0, chunk, BLOCK):
        at = first + start + tl.arange(0, BLOCK)
        total += loss(x_ptr, target_ptr, at, at < n, ACC)
    tl.store(sums_ptr + tl.program_id(0), tl.sum(total, axis=0))


@triton.jit
def finish_kernel(sums_ptr, out_ptr, chunks, n, MEAN: tl.constexpr, BLOCK: tl.constexpr, ACC: tl.constexpr):
    total = tl.zeros((BLOCK,), ACC)
    for start in range(0, chunks, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(sums_ptr + at, mask=at < chunks, other=0.0)
    result = tl.sum(total, axis=0)
    if MEAN:
        result = result / n
    tl.store(out_ptr, result)


def mse_loss(input, target, reduction="mean"):
    shape = torch.broadcast_shapes(input.shape, target.shape)
    x, target = input.expand(shape).contiguous(), target.expand(shape).contiguous()
    n = x.numel()
    double = x.dtype == torch.float64
    acc = tl.float64 if double else tl.float32
    if reduction == "none":
        out = torch.empty_like(x)
        if n > 0:
            losses_kernel[(triton.cdiv(n, BLOCK),)](x, target, out, n, BLOCK=BLOCK, ACC=acc, num_warps=4)
        return out
    blocks = max(triton.cdiv(n, BLOCK), 1)
    chunk = triton.cdiv(blocks, MOST_CHUNKS) * BLOCK
    chunks = max(triton.cdiv(n, chunk), 1)
    sums = torch.empty(chunks, dtype=torch.float64 if double else torch.float32, device=x.device)
    out = torch.empty((), dtype=x.dtype, device=x.device)
    chunk_sums_kernel[(chunks,)](x, target, sums, n, chunk, BLOCK=BLOCK, ACC=acc, num_warps=4)
    finish_kernel[(1,)](sums, out, chunks, n, MEAN=reduction == "mean", BLOCK=1024, ACC=acc, num_warps=4)
    return out
