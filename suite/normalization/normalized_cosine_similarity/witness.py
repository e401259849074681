"""Cosine similarity of normalized vectors in Triton.

Everything follows from sums over one pass: the product a . b, the squares of a and b, and where p is not 2 the powers
|a|^p and |b|^p. Dividing a by its p-norm divides its sums by the same number, so the vectors themselves need not be
normalized.
"""
import math

import torch
import triton
import triton.language as tl

TILE = 4096
ONE, TWO, MAXIMUM, GENERAL = 1, 2, 3, 4  # kinds of norm


@triton.jit
def larger(a, b):
    return tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def gathered(total, x, p, KIND: tl.constexpr):
    """Adds the terms of a p-norm that is not the 2-norm."""
    if KIND == 1:
        return total + tl.sum(tl.abs(x), axis=0)
    elif KIND == 3:
        return larger(total, tl.reduce(tl.abs(x), 0, larger))
    else:
        return total + tl.sum(tl.where(x == 0, 0.0, tl.exp2(p * tl.log2(tl.abs(x)))), axis=0)


@triton.jit
def norm_of(total, squares, p, KIND: tl.constexpr):
    if KIND == 2:
        return tl.sqrt(squares)
    elif KIND == 4:
        return tl.where(total == 0, 0.0, tl.exp2(tl.log2(total) / p))
    else:
        return total


@triton.jit
def similarity_kernel(
    a_ptr, b_ptr, y_ptr, lanes, length, inner, p, eps_norm, eps_norm_low, eps_similarity, eps_similarity_low,
    KIND: tl.constexpr, D_TILE: tl.constexpr, P_TILE: tl.constexpr, ACC: tl.constexpr,
):
    """a and b seen as (outer, length, inner); a lane is one (outer, inner) pair, its vectors run over length."""
    at = tl.program_id(0).to(tl.int64) * P_TILE + tl.arange(0, P_TILE)
    base = (at // inner) * length * inner + at % inner
    dot = tl.zeros((P_TILE,), ACC)
    aa = tl.zeros((P_TILE,), ACC)
    bb = tl.zeros((P_TILE,), ACC)
    a_total = tl.zeros((P_TILE,), ACC)
    b_total = tl.zeros((P_TILE,), ACC)
    for start in range(0, length, D_TILE):
        d = start + tl.arange(0, D_TILE)
        mask = (d < length)[:, None] & (at < lanes)[None, :]
        a = tl.load(a_ptr + base[None, :] + d[:, None] * inner, mask=mask, other=0.0).to(ACC)
        b = tl.load(b_ptr + base[None, :] + d[:, None] * inner, mask=mask, other=0.0).to(ACC)
        dot += tl.sum(a * b, axis=0)
        aa += tl.sum(a * a, axis=0)
        bb += tl.sum(b * b, axis=0)
        if KIND != 2:
            a_total = gathered(a_total, a, p, KIND)
            b_total = gathered(b_total, b, p, KIND)
    eps = eps_norm.to(ACC) + eps_norm_low
    a_norm = larger(norm_of(a_total, aa, p, KIND), eps)
    b_norm = larger(norm_of(b_total, bb, p, KIND), eps)
    eps = eps_similarity.to(ACC) + eps_similarity_low
    a_length = larger(tl.sqrt(aa) / a_norm, eps)
    b_length = larger(tl.sqrt(bb) / b_norm, eps)
    tl.store(y_ptr + at, dot / a_norm / b_norm / (a_length * b_length), mask=at < lanes)


def parts(number):
    """A number as the sum of two that are exact as kernel arguments, which are float32."""
    mantissa, exponent = math.frexp(number)
    high = math.ldexp(round(math.ldexp(mantissa, 24)), exponent - 24)
    return high, number - high


def normalized_cosine_similarity(x1, x2, dim=1, eps_similarity=1e-08, p_norm=2, eps_norm=1e-12):
    shape = torch.broadcast_shapes(x1.shape, x2.shape)
    a, b = x1.expand(shape).contiguous(), x2.expand(shape).contiguous()
    dim = dim % len(shape)
    length, inner = shape[dim], math.prod(shape[dim + 1:])
    y = torch.empty((*shape[:dim], *shape[dim + 1:]), dtype=x1.dtype, device=x1.device)
    lanes = y.numel()
    if lanes == 0:
        return y
    acc = tl.float64 if x1.dtype == torch.float64 else tl.float32
    kind = {1.0: ONE, 2.0: TWO, math.inf: MAXIMUM}.get(float(p_norm), GENERAL)
    if inner == 1:
        d_tile = min(triton.next_power_of_2(max(length, 1)), 1024)
        p_tile = min(triton.next_power_of_2(lanes), TILE // d_tile)
    else:
        p_tile = min(triton.next_power_of_2(lanes), 128)
        d_tile = min(triton.next_power_of_2(max(length, 1)), TILE // p_tile)
    similarity_kernel[(triton.cdiv(lanes, p_tile),)](
        a, b, y, lanes, length, inner, float(p_norm), *parts(eps_norm), *parts(eps_similarity),
        KIND=kind, D_TILE=d_tile, P_TILE=p_tile, ACC=acc, num_warps=8 if d_tile * p_tile >= 4096 else 4,
    )
    return y
