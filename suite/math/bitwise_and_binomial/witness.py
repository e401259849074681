"""Binomial draws with n = min(input & other, total_count) trials, in Triton.

A draw is the number of hits among n uniform numbers, those below the probability. Four numbers come from each call of a
counter-based generator: the counter is the element and the group of four trials, the key a seed drawn from torch.
"""
import torch
import triton
import triton.language as tl

BLOCK = 512


@triton.jit
def hit(word, p):
    """Whether the upper 24 bits of a random word, as a fraction, are below p."""
    return ((word.to(tl.uint32) >> 8).to(tl.int32).to(tl.float32) * (1.0 / 16777216) < p).to(tl.int32)


@triton.jit(do_not_specialize=["count"])
def binomial_kernel(seed_ptr, x_ptr, y_ptr, count_ptr, p_ptr, z_ptr, n, count,
                    NUMBER: tl.constexpr, LOGITS: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    trials = tl.load(x_ptr + offsets, mask=mask, other=0).to(tl.int64)
    trials &= tl.load(y_ptr + offsets, mask=mask, other=0).to(tl.int64)
    if NUMBER:
        trials = tl.minimum(trials, count)
    else:
        trials = tl.minimum(trials, tl.load(count_ptr + offsets, mask=mask, other=0).to(tl.int64))
    p = tl.load(p_ptr + offsets, mask=mask, other=0.0)
    if LOGITS:
        p = 1.0 / (1.0 + tl.exp(-p))

    seed = tl.load(seed_ptr)
    low, high = offsets.to(tl.int32), (offsets >> 32).to(tl.int32)
    hits = tl.zeros((BLOCK,), tl.int32)
    for first in range(0, tl.max(trials, axis=0), 4):
        a, b, c, d = tl.philox(seed, low, high, tl.zeros_like(low) + first.to(tl.int32), tl.zeros_like(low))
        hits += tl.where(first < trials, hit(a, p), 0) + tl.where(first + 1 < trials, hit(b, p), 0)
        hits += tl.where(first + 2 < trials, hit(c, p), 0) + tl.where(first + 3 < trials, hit(d, p), 0)
    tl.store(z_ptr + offsets, hits, mask=mask)


def bitwise_and_binomial(input, other, total_count, probs=None, logits=None):
    if (probs is None) == (logits is None):
        raise ValueError("exactly one of probs and logits must be given")
    p = probs if probs is not None else logits
    number = not isinstance(total_count, torch.Tensor)
    tensors = [input, other, p] if number else [input, other, p, total_count]
    shape = torch.broadcast_shapes(*(t.shape for t in tensors))
    x, y, p, *counts = (t.expand(shape).contiguous() for t in tensors)
    z = torch.empty(shape, dtype=p.dtype, device=p.device)
    n = z.numel()
    if n > 0:
        # The generator's state moves on with every call; the value stays on the device.
        seed = torch.empty((1,), dtype=torch.int64, device=p.device).random_()
        binomial_kernel[(triton.cdiv(n, BLOCK),)](
            seed, x, y, x if number else counts[0], p, z, n, total_count if number else 0,
            NUMBER=number, LOGITS=logits is not None, BLOCK=BLOCK, num_warps=4,
        )
    return z
