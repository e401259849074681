"""Negative log likelihood in Triton.

Input is seen as (batch, classes, positions); of each position one element is gathered, through the strides, so that
input is never copied. Without a reduction that is all.
Otherwise each program adds up the losses and the weights of a chunk of positions; a last kernel of one program adds
up what the programs stored, always in the same order.
"""
import math

import torch
import triton
import triton.language as tl

BLOCK = 1024
MOST_CHUNKS = 4096  # enough programs to fill any device, few enough for one program to add up


@triton.jit
def loss(
    x_ptr, target_ptr, weight_ptr, stride_n, stride_c, stride_p, positions, ignore_index, at, mask,
    WEIGHTED: tl.constexpr, ACC: tl.constexpr,
):
    """Losses and weights of a block of (batch, position) pairs; both 0 where ignored or masked."""
    target = tl.load(target_ptr + at, mask=mask, other=0)
    used = mask & (target != ignore_index)
    element = at // positions * stride_n + target * stride_c + at % positions * stride_p
    chosen = tl.load(x_ptr + element, mask=used, other=0.0).to(ACC)
    weight = used.to(ACC)
    if WEIGHTED:
        weight = tl.load(weight_ptr + target, mask=used, other=0.0).to(ACC)
    return -weight * chosen, weight


@triton.jit
def losses_kernel(
    x_ptr, target_ptr, weight_ptr, out_ptr, n, stride_n, stride_c, stride_p, positions, ignore_index,
    WEIGHTED: tl.constexpr, BLOCK: tl.constexpr, ACC: tl.constexpr,
):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    losses, _ = loss(
        x_ptr, target_ptr, weight_ptr, stride_n, stride_c, stride_p, positions, ignore_index, at, at < n, WEIGHTED, ACC
    )
    tl.store(out_ptr + at, losses, mask=at < n)


@triton.jit
def chunk_sums_kernel(
    x_ptr, target_ptr, weight_ptr, loss_sums_ptr, used_sums_ptr, n,
    stride_n, stride_c, stride_p, positions, ignore_index, chunk,
    WEIGHTED: tl.constexpr, BLOCK: tl.constexpr, ACC: tl.constexpr,
):
    first = tl.program_id(0).to(tl.int64) * chunk
    total, used = tl.zeros((BLOCK,), ACC), tl.zeros((BLOCK,), ACC)
    for start in range(0, chunk, BLOCK):
        at = first + start + tl.arange(0, BLOCK)
        losses, weights = loss(
            x_ptr, target_ptr, weight_ptr, stride_n, stride_c, stride_p, positions, ignore_index, at, at < n,
            WEIGHTED, ACC,
        )
        total += losses
        used += weights
    tl.store(loss_sums_ptr + tl.program_id(0), tl.sum(total, axis=0))
    tl.store(used_sums_ptr + tl.program_id(0), tl.sum(used, axis=0))


@triton.jit
def finish_kernel(
    loss_sums_ptr, used_sums_ptr, out_ptr, chunks, MEAN: tl.constexpr, BLOCK: tl.constexpr, ACC: tl.constexpr
):
    total, used = tl.zeros((BLOCK,), ACC), tl.zeros((BLOCK,), ACC)
    for start in range(0, chunks, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(loss_sums_ptr + at, mask=at < chunks, other=0.0)
        used += tl.load(used_sums_ptr + at, mask=at < chunks, other=0.0)
    result = tl.sum(total, axis=0)
    if MEAN:
        result = result / tl.sum(used, axis=0)
    tl.store(out_ptr, result)


def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    x = input if input.dim() > 1 else input.unsqueeze(0)
    positions, n = math.prod(x.shape[2:]), target.numel()
    x = x.reshape(x.shape[0], x.shape[1], positions)
    target = target.contiguous()
    weighted = weight is not None
    weight = weight.contiguous() if weighted else x
    double = x.dtype == torch.float64
    acc = tl.float64 if double else tl.float32
    if reduction == "none":
        out = torch.empty(target.shape, dtype=x.dtype, device=x.device)
        if n > 0:
            losses_kernel[(triton.cdiv(n, BLOCK),)](
                x, target, weight, out, n, *x.stride(), positions, ignore_index,
                WEIGHTED=weighted, BLOCK=BLOCK, ACC=acc, num_warps=4,
            )
        return out
    blocks = max(triton.cdiv(n, BLOCK), 1)
    chunk = triton.cdiv(blocks, MOST_CHUNKS) * BLOCK
    chunks = max(triton.cdiv(n, chunk), 1)
    sums = torch.empty((2, chunks), dtype=torch.float64 if double else torch.float32, device=x.device)
    out = torch.empty((), dtype=x.dtype, device=x.device)
    chunk_sums_kernel[(chunks,)](
        x, target, weight, sums[0], sums[1], n, *x.stride(), positions, ignore_index, chunk,
        WEIGHTED=weighted, BLOCK=BLOCK, ACC=acc, num_warps=4,
    )
    finish_kernel[(1,)](sums[0], sums[1], out, chunks, MEAN=reduction == "mean", BLOCK=1024, ACC=acc, num_warps=4)
    return out
