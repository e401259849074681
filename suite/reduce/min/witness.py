"""Minimum and its index in Triton.

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
def min_kernel(
    x_ptr, index_ptr, best_ptr, best_index_ptr, n, inner, chunk, chunks,
    FROM_CHUNKS: tl.constexpr, HIGHEST: tl.constexpr, ACC: tl.constexpr,
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
        x = tl.where(mask, tl.load(x_ptr + offsets, mask=mask, other=0).to(ACC), HIGHEST)
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
    if ACC != tl.int64:
        value = tl.where(has_nan, float("nan"), value)
    tl.store(best_ptr + results, value, mask=store_mask)


def at_most(a, limit):
    """The smaller of two numbers: the entry's name hides the builtin."""
    return a if a < limit else limit


def min(input_tensor, dim, keepdim=False):
    x = input_tensor.contiguous()
    dim = dim % x.dim()
    shape = x.shape[:dim] + ((1,) if keepdim else ()) + x.shape[dim + 1:]
    outer, n, inner = math.prod(x.shape[:dim]), x.shape[dim], math.prod(x.shape[dim + 1:])
    values = torch.empty(shape, dtype=x.dtype, device=x.device)
    indices = torch.empty(shape, dtype=torch.int64, device=x.device)
    if values.numel() == 0:
        return values, indices
    if not x.dtype.is_floating_point:
        acc, acc_dtype, highest = tl.int64, torch.int64, 2**63 - 1
    elif x.dtype == torch.float64:
        acc, acc_dtype, highest = tl.float64, torch.float64, float("inf")
    else:
        acc, acc_dtype, highest = tl.float32, torch.float32, float("inf")

    inner_tile = at_most(triton.next_power_of_2(inner), 64)
    n_tile = at_most(triton.next_power_of_2(n), TILE // inner_tile)
    programs = outer * triton.cdiv(inner, inner_tile)
    chunks = max(at_most(triton.cdiv(PROGRAMS, programs), triton.cdiv(n, 4 * n_tile)), 1)
    chunk = triton.cdiv(triton.cdiv(n, chunks), n_tile) * n_tile
    chunks = triton.cdiv(n, chunk)
    meta = dict(HIGHEST=highest, ACC=acc, INNER_TILE=inner_tile)
    if chunks == 1:
        min_kernel[(programs, 1)](
            x, indices, values, indices, n, inner, n, 1, FROM_CHUNKS=False, N_TILE=n_tile, **meta
        )
        return values, indices
    best = torch.empty(outer * chunks * inner, dtype=acc_dtype, device=x.device)
    best_index = torch.empty(outer * chunks * inner, dtype=torch.int64, device=x.device)
    min_kernel[(programs, chunks)](
        x, indices, best, best_index, n, inner, chunk, chunks, FROM_CHUNKS=False, N_TILE=n_tile, **meta
    )
    n_tile = at_most(triton.next_power_of_2(chunks), TILE // inner_tile)
    min_kernel[(programs, 1)](
        best, best_index, values, indices, chunks, inner, chunks, 1, FROM_CHUNKS=True, N_TILE=n_tile, **meta
    )
    return values, indices
