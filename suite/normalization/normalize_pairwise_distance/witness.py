"""Row distances divided by their norm in Triton.

The distances are few next to the inputs: one kernel makes them in float32, reading every input element once, a second
one takes their norms and divides. Powers other than 1, 2 and the maximum go through logarithms.
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
def power(x, p, KIND: tl.constexpr):
    """|x|^p; for the maximum |x| itself."""
    if KIND == 2:
        return x * x
    elif KIND == 4:
        return tl.where(x == 0, 0.0, tl.exp2(p * tl.log2(tl.abs(x))))
    else:
        return tl.abs(x)


@triton.jit
def root(total, p, KIND: tl.constexpr):
    if KIND == 2:
        return tl.sqrt(total)
    elif KIND == 4:
        return tl.where(total == 0, 0.0, tl.exp2(tl.log2(total) / p))
    else:
        return total


@triton.jit
def distance_kernel(
    a_ptr, b_ptr, d_ptr, rows, length, inner, a_outer, a_inner, a_last, b_outer, b_inner, b_last,
    p: tl.constexpr, eps, eps_low, KIND: tl.constexpr, ROWS: tl.constexpr, L_TILE: tl.constexpr, ACC: tl.constexpr,
):
    """Rows are numbered outer * inner; each of the two has its stride in either input, 0 where it is broadcast."""
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    a_base = a_ptr + (row // inner) * a_outer + (row % inner) * a_inner
    b_base = b_ptr + (row // inner) * b_outer + (row % inner) * b_inner
    eps = eps.to(ACC) + eps_low
    total = tl.zeros((ROWS,), ACC)
    for start in range(0, length, L_TILE):
        at = start + tl.arange(0, L_TILE)
        mask = (row < rows)[:, None] & (at < length)[None, :]
        a = tl.load(a_base[:, None] + at[None, :] * a_last, mask=mask, other=0.0).to(ACC)
        b = tl.load(b_base[:, None] + at[None, :] * b_last, mask=mask, other=0.0).to(ACC)
        terms = tl.where(mask, power(a - b + eps, p, KIND), 0.0)
        if KIND == 3:
            total = larger(total, tl.reduce(terms, 1, larger))
        else:
            total += tl.sum(terms, axis=1)
    tl.store(d_ptr + row, root(total, p, KIND), mask=row < rows)


@triton.jit
def normalize_kernel(
    d_ptr, y_ptr, lanes, length, inner, p: tl.constexpr, eps, eps_low,
    KIND: tl.constexpr, LANES: tl.constexpr, L_TILE: tl.constexpr, ACC: tl.constexpr,
):
    """d seen as (outer, length, inner): a lane is one (outer, inner) pair, divided by its norm over length."""
    lane = tl.program_id(0).to(tl.int64) * LANES + tl.arange(0, LANES)
    base = (lane // inner) * length * inner + lane % inner
    eps = eps.to(ACC) + eps_low
    total = tl.zeros((LANES,), ACC)
    for start in range(0, length, L_TILE):
        at = start + tl.arange(0, L_TILE)
        mask = (at < length)[:, None] & (lane < lanes)[None, :]
        terms = power(tl.load(d_ptr + base[None, :] + at[:, None] * inner, mask=mask, other=0.0), p, KIND)
        if KIND == 3:
            total = larger(total, tl.reduce(terms, 0, larger))
        else:
            total += tl.sum(terms, axis=0)
    norm = larger(root(total, p, KIND), eps)
    for start in range(0, length, L_TILE):
        at = start + tl.arange(0, L_TILE)
        mask = (at < length)[:, None] & (lane < lanes)[None, :]
        d = tl.load(d_ptr + base[None, :] + at[:, None] * inner, mask=mask, other=0.0)
        tl.store(y_ptr + base[None, :] + at[:, None] * inner, d / norm[None, :], mask=mask)


def parts(number):
    """A number as the sum of two that are exact as kernel arguments, which are float32."""
    mantissa, exponent = math.frexp(number)
    high = math.ldexp(round(math.ldexp(mantissa, 24)), exponent - 24)
    return high, number - high


def kind_of(p):
    return {1.0: ONE, 2.0: TWO, math.inf: MAXIMUM}.get(float(p), GENERAL)


def two_level(x, shape):
    """x broadcast to shape, as a tensor whose rows take two strides: (leading dims, one more, last)."""
    x = x.expand(shape)
    x = x.unsqueeze(0) if x.dim() < 3 else x
    if x.dim() > 3:
        x = x.contiguous().view(-1, *x.shape[-2:])
    return x if x.dim() == 3 else x.unsqueeze(0)


def normalize_pairwise_distance(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    shape = torch.broadcast_shapes(x1.shape, x2.shape)
    out_shape = (*shape[:-1], 1) if keepdim else tuple(shape[:-1])
    if not -len(out_shape) <= dim_norm < max(len(out_shape), 1):
        raise IndexError(f"dim_norm {dim_norm} is not a dimension of distances of shape {out_shape}")
    acc, acc_dtype = (tl.float64, torch.float64) if x1.dtype == torch.float64 else (tl.float32, torch.float32)
    d = torch.empty(out_shape, dtype=acc_dtype, device=x1.device)
    y = torch.empty(out_shape, dtype=x1.dtype, device=x1.device)
    if d.numel() == 0:
        return y
    a, b = two_level(x1, shape), two_level(x2, shape)
    length, rows = shape[-1], d.numel()
    l_tile = min(triton.next_power_of_2(length), 1024)
    tile = min(triton.next_power_of_2(rows), TILE // l_tile)
    distance_kernel[(triton.cdiv(rows, tile),)](
        a, b, d, rows, length, a.shape[1], *a.stride(), *b.stride(), float(p_distance), *parts(eps_distance),
        KIND=kind_of(p_distance), ROWS=tile, L_TILE=l_tile, ACC=acc, num_warps=8 if tile * l_tile >= 4096 else 4,
    )
    dim = dim_norm % max(len(out_shape), 1)
    length, inner = (out_shape[dim], math.prod(out_shape[dim + 1:])) if out_shape else (1, 1)
    lanes = rows // length
    tile = 1 if inner == 1 else min(triton.next_power_of_2(inner), 64)
    l_tile = min(triton.next_power_of_2(length), 16384 // tile)  # lanes are few: long tiles
    normalize_kernel[(triton.cdiv(lanes, tile),)](
        d, y, lanes, length, inner, float(p_norm), *parts(eps_norm),
        KIND=kind_of(p_norm), LANES=tile, L_TILE=l_tile, ACC=acc, num_warps=8 if tile * l_tile >= 4096 else 4,
    )
    return y
