"""Kullback-Leibler divergence in Triton.

Without a reduction an elementwise kernel does it. Otherwise each program adds up one chunk of them in registers and
stores a single number; a last kernel of one program adds those up, always in the same order.
"""
import torch
import triton
import triton.language as tl

BLOCK = 1024
MOST_CHUNKS = 4096  # enough programs to fill any device, few enough for one program to add up


@triton.jit
def divergence(x_ptr, target_ptr, at, mask, LOG: tl.constexpr, ACC: tl.constexpr):
    """The divergences of a block; 0 where masked."""
    x = tl.load(x_ptr + at, mask=mask, other=0.0).to(ACC)
    target = tl.load(target_ptr + at, mask=mask, other=0.0).to(ACC)
    if LOG:
        return tl.exp(target) * (target - x)
    # 0 log 0 is 0. Two products, not target * (log(target) - x): that would be 0 * inf.
    return tl.where(target == 0, 0.0, target * tl.log(target)) - target * x


@triton.jit
def elementwise_kernel(x_ptr, target_ptr, out_ptr, n, LOG: tl.constexpr, BLOCK: tl.constexpr, ACC: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, divergence(x_ptr, target_ptr, at, at < n, LOG, ACC), mask=at < n)


@triton.jit
def chunk_sums_kernel(
    x_ptr, target_ptr, sums_ptr, n, chunk, LOG: tl.constexpr, BLOCK: tl.constexpr, ACC: tl.constexpr
):
    first = tl.program_id(0).to(tl.int64) * chunk
    total = tl.zeros((BLOCK,), ACC)
    for start in range(0, chunk, BLOCK):
        at = first + start + tl.arange(0, BLOCK)
        total += divergence(x_ptr, target_ptr, at, at < n, LOG, ACC)
    tl.store(sums_ptr + tl.program_id(0), tl.sum(total, axis=0))


@triton.jit
def finish_kernel(sums_ptr, out_ptr, chunks, divisor, BLOCK: tl.constexpr, ACC: tl.constexpr):
    total = tl.zeros((BLOCK,), ACC)
    for start in range(0, chunks, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(sums_ptr + at, mask=at < chunks, other=0.0)
    tl.store(out_ptr, tl.sum(total, axis=0) / divisor)


def kl_div(input, target, reduction="batchmean", log_target=False):
    shape = torch.broadcast_shapes(input.shape, target.shape)
    x, target = input.expand(shape).contiguous(), target.expand(shape).contiguous()
    n = x.numel()
    double = x.dtype == torch.float64
    acc = tl.float64 if double else tl.float32
    if reduction == "none":
        out = torch.empty_like(x)
        if n > 0:
            elementwise_kernel[(triton.cdiv(n, BLOCK),)](
                x, target, out, n, LOG=log_target, BLOCK=BLOCK, ACC=acc, num_warps=4
            )
        return out
    divisor = {"sum": 1, "mean": n, "batchmean": input.shape[0] if input.dim() > 0 else 1}[reduction]
    blocks = max(triton.cdiv(n, BLOCK), 1)
    chunk = triton.cdiv(blocks, MOST_CHUNKS) * BLOCK
    chunks = max(triton.cdiv(n, chunk), 1)
    sums = torch.empty(chunks, dtype=torch.float64 if double else torch.float32, device=x.device)
    out = torch.empty((), dtype=x.dtype, device=x.device)
    chunk_sums_kernel[(chunks,)](x, target, sums, n, chunk, LOG=log_target, BLOCK=BLOCK, ACC=acc, num_warps=4)
    finish_kernel[(1,)](sums, out, chunks, divisor, BLOCK=1024, ACC=acc, num_warps=4)
    return out
