"""Smallest value of GELU in Triton, with its index.

The input is seen as (outer, n, inner), n being the reduced dimension. Each lane keeps its best value and index while a
program walks through its chunk of n; a strict comparison keeps the first of equals. NaN is tracked apart: it beats
everything. When one program for each result would leave the GPU idle, n is split into chunks and the same kernel then
picks the best chunk.
"""
import math

import torch
import triton
import triton.language as tl

TILE = 2048
PROGRAMS = 1024


@triton.jit
def gelu(x, TANH: tl.constexpr):
    if TANH:
        inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)
        # 0.5 * (1 + tanh(z)) is the logistic function of 2 z; exp of a large number may overflow to inf, which gives 0.
        phi = 1.0 / (1.0 + tl.exp(-2.0 * inner))
    else:
        phi = 0.5 * (1.0 + tl.erf(x * 0.7071067811865476))
    return x * phi


@triton.jit
def gelu_min_kernel(
    x_ptr, index_ptr, best_ptr, best_index_ptr, n, inner, chunk, chunks,
    TANH: tl.constexpr, FROM_CHUNKS: tl.constexpr, HIGHEST: tl.constexpr, ACC: tl.constexpr,
    N_TILE: tl.constexpr, INNER_TILE: tl.constexpr,
):
    inner_tiles = tl.cdiv(inner, INNER_TILE)
    outer = tl.program_id(0) // inner_tiles
    cols = (tl.program_id(0) % inner_tiles) * INNER_TILE + tl.arange(0, INNER_TILE)
    first = tl.program_id(1) * chunk
    last = tl.minimum(first + chunk, n)
    lanes = first + tl.arange(0, N_TILE)[:, None] + tl.zeros((N_TILE, INNER_TILE), tl.int32)
    best = tl.full((N_TILE, INNER_TILE), HIGHEST, ACC)
    best_at = lanes
    nan_at = tl.full((N_TILE, INNER_TILE), 2147483647, tl.int32)
    for start in range(0, chunk, N_TILE):
        at = lanes + start
        offsets = outer.to(tl.int64) * n * inner + at.to(tl.int64) * inner + cols[None, :]
        mask = (at < last) & (cols < inner)[None, :]
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
        if not FROM_CHUNKS:
            x = gelu(x, TANH)
        x = tl.where(mask, x, HIGHEST)
        nan_at = tl.where(x != x, tl.minimum(nan_at, at), nan_at)
        better = x < best
        best_at = tl.where(better, at, best_at)
        best = tl.where(better, x, best)

    value = tl.min(best, axis=0)
    position = tl.min(tl.where(best == value[None, :], best_at, 2147483647), axis=0)
    first_nan = tl.min(nan_at, axis=0)
    has_nan = first_nan < 2147483647
    position = tl.where(has_nan, first_nan, position)
    store_mask = cols < inner
    results = (outer.to(tl.int64) * chunks + tl.program_id(1)) * inner + cols
    if FROM_CHUNKS:  # the position says which chunk won; its index was found before
        index = tl.load(index_ptr + (outer.to(tl.int64) * n + position) * inner + cols, mask=store_mask, other=0)
    else:
        index = position.to(tl.int64)
    tl.store(best_index_ptr + results, index, mask=store_mask)
    value = tl.where(has_nan, float("nan"), value)
    tl.store(best_ptr + results, value, mask=store_mask)


def smallest(input, dim, keepdim, approximate):
    """(values, indices) along dim; dim=None is the flattened tensor."""
    x = input.contiguous()
    if dim is None:
        shape, outer, n, inner = (), 1, x.numel(), 1
    else:
        dim = dim % x.dim()
        shape = x.shape[:dim] + ((1,) if keepdim else ()) + x.shape[dim + 1:]
        outer, n, inner = math.prod(x.shape[:dim]), x.shape[dim], math.prod(x.shape[dim + 1:])
    values = torch.empty(shape, dtype=x.dtype, device=x.device)
    indices = torch.empty(shape, dtype=torch.int64, device=x.device)
    if values.numel() == 0:
        return values, indices
    double = x.dtype == torch.float64
    acc, acc_dtype = (tl.float64, torch.float64) if double else (tl.float32, torch.float32)
    highest = float("inf")

    inner_tile = min(triton.next_power_of_2(inner), 64)
    n_tile = min(triton.next_power_of_2(n), TILE // inner_tile)
    programs = outer * triton.cdiv(inner, inner_tile)
    chunks = max(min(triton.cdiv(PROGRAMS, programs), triton.cdiv(n, 4 * n_tile)), 1)
    chunk = triton.cdiv(triton.cdiv(n, chunks), n_tile) * n_tile
    chunks = triton.cdiv(n, chunk)
    meta = dict(TANH=approximate == "tanh", HIGHEST=highest, ACC=acc, INNER_TILE=inner_tile)
    if chunks == 1:
        gelu_min_kernel[(programs, 1)](
            x, indices, values, indices, n, inner, n, 1, FROM_CHUNKS=False, N_TILE=n_tile, **meta
        )
        return values, indices
    best = torch.empty(outer * chunks * inner, dtype=acc_dtype, device=x.device)
    best_index = torch.empty(outer * chunks * inner, dtype=torch.int64, device=x.device)
    gelu_min_kernel[(programs, chunks)](
        x, indices, best, best_index, n, inner, chunk, chunks, FROM_CHUNKS=False, N_TILE=n_tile, **meta
    )
    n_tile = min(triton.next_power_of_2(chunks), TILE // inner_tile)
    gelu_min_kernel[(programs, 1)](
        best, best_index, values, indices, chunks, inner, chunks, 1, FROM_CHUNKS=True, N_TILE=n_tile, **meta
    )
    return values, indices


def fused_gelu_min(input, approximate="none", dim=None, keepdim=False, out=None):
    values, indices = smallest(input, dim, keepdim, approximate)
    if dim is not None:
        return values, indices
    return values if out is None else out.copy_(values)
