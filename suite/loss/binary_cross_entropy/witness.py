"""Binary cross entropy in Triton.

Without a reduction an elementwise kernel does it. Otherwise each program adds up one chunk of the losses in registers
and stores a single number; a last kernel of one program adds those up, always in the same order. A weight that
lacks leading dimensions (one per column) is not copied: it repeats after as many elements as it has.
"""
import torch
import triton
import triton.language as tl

BLOCK = 1024
MOST_CHUNKS = 4096  # enough programs to fill any device, few enough for one program to add up


@triton.jit
def loss(x_ptr, target_ptr, weight_ptr, period, at, mask, WEIGHTED: tl.constexpr, ACC: tl.constexpr):
    """The losses of a block; 0 where masked. The weights repeat after `period` elements."""
    x = tl.load(x_ptr + at, mask=mask, other=0.5).to(ACC)
    target = tl.load(target_ptr + at, mask=mask, other=0.0).to(ACC)
    log_x = tl.maximum(tl.log(x), -100.0)
    log_rest = tl.maximum(tl.log(1.0 - x), -100.0)
    result = -(target * log_x + (1.0 - target) * log_rest)
    if WEIGHTED:
        result *= tl.load(weight_ptr + at % period, mask=mask, other=0.0).to(ACC)
    return tl.where(mask, result, 0.0)


@triton.jit
def losses_kernel(
    x_ptr, target_ptr, weight_ptr, out_ptr, n, period, WEIGHTED: tl.constexpr, BLOCK: tl.constexpr, ACC: tl.constexpr
):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, loss(x_ptr, target_ptr, weight_ptr, period, at, at < n, WEIGHTED, ACC), mask=at < n)


@triton.jit
def chunk_sums_kernel(
    x_ptr, target_ptr, weight_ptr, sums_ptr, n, period, chunk,
    WEIGHTED: tl.constexpr, BLOCK: tl.constexpr, ACC: tl.constexpr,
):
    first = tl.program_id(0).to(tl.int64) * chunk
    total = tl.zeros((BLOCK,), ACC)
    for start in range(0, chunk, BLOCK):
        at = first + start + tl.arange(0, BLOCK)
        total += loss(x_ptr, target_ptr, weight_ptr, period, at, at < n, WEIGHTED, ACC)
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


def periodic(weight, shape):
    """The weight as it is if it fills the last dimensions of `shape`, else expanded to all of it."""
    sizes = list(weight.shape)
    while sizes and sizes[0] == 1:
        sizes = sizes[1:]
    if sizes == list(shape)[len(shape) - len(sizes):]:
        return weight.contiguous()
    return weight.expand(shape).contiguous()


def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    if target.shape != input.shape:
        raise ValueError(f"target has shape {tuple(target.shape)}, input {tuple(input.shape)}")
    x, target = input.contiguous(), target.contiguous()
    n, weighted = x.numel(), weight is not None
    weight = periodic(weight, x.shape) if weighted else x
    period = max(weight.numel(), 1)
    double = x.dtype == torch.float64
    acc = tl.float64 if double else tl.float32
    if reduction == "none":
        out = torch.empty_like(x)
        if n > 0:
            losses_kernel[(triton.cdiv(n, BLOCK),)](
                x, target, weight, out, n, period, WEIGHTED=weighted, BLOCK=BLOCK, ACC=acc, num_warps=4
            )
        return out
    blocks = max(triton.cdiv(n, BLOCK), 1)
    chunk = triton.cdiv(blocks, MOST_CHUNKS) * BLOCK
    chunks = max(triton.cdiv(n, chunk), 1)
    sums = torch.empty(chunks, dtype=torch.float64 if double else torch.float32, device=x.device)
    out = torch.empty((), dtype=x.dtype, device=x.device)
    chunk_sums_kernel[(chunks,)](
        x, target, weight, sums, n, period, chunk, WEIGHTED=weighted, BLOCK=BLOCK, ACC=acc, num_warps=4
    )
    finish_kernel[(1,)](sums, out, chunks, n, MEAN=reduction == "mean", BLOCK=1024, ACC=acc, num_warps=4)
    return out
