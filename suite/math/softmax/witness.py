"""Softmax along one dimension in Triton.

The input is seen as (outer, n, inner), n being the softmax dimension. A program owns one `outer` and a tile of `inner`.
When n fits in one tile, the tile is read once and stays in registers. Otherwise a first pass keeps a running maximum
and a running sum (online softmax), and a second pass writes.
"""
import math

import torch
import triton
import triton.language as tl

MAX_TILE = 16384  # elements of one tile


@triton.jit
def softmax_kernel(
    x_ptr, y_ptr, n, inner, N_TILE: tl.constexpr, INNER_TILE: tl.constexpr, ONE_TILE: tl.constexpr, ACC: tl.constexpr
):
    inner_tiles = tl.cdiv(inner, INNER_TILE)
    outer = tl.program_id(0) // inner_tiles
    cols = (tl.program_id(0) % inner_tiles) * INNER_TILE + tl.arange(0, INNER_TILE)[None, :]
    rows = tl.arange(0, N_TILE)[:, None]
    base = outer.to(tl.int64) * n * inner

    if ONE_TILE:
        offsets = base + rows * inner + cols
        mask = (rows < n) & (cols < inner)
        x = tl.load(x_ptr + offsets, mask=mask, other=-float("inf")).to(ACC)
        e = tl.exp(x - tl.max(x, axis=0)[None, :])
        tl.store(y_ptr + offsets, e / tl.sum(e, axis=0)[None, :], mask=mask)
    else:
        largest = tl.full((INNER_TILE,), -float("inf"), ACC)
        total = tl.zeros((INNER_TILE,), ACC)
        for start in range(0, n, N_TILE):
            mask = (start + rows < n) & (cols < inner)
            offsets = base + (start + rows).to(tl.int64) * inner + cols
            x = tl.load(x_ptr + offsets, mask=mask, other=-float("inf")).to(ACC)
            new_largest = tl.maximum(largest, tl.max(x, axis=0))
            # A slice that is -inf so far has no maximum to subtract: its sum stays 0.
            shift = tl.where(new_largest == -float("inf"), 0.0, new_largest)
            total = total * tl.exp(largest - shift) + tl.sum(tl.exp(x - shift[None, :]), axis=0)
            largest = new_largest
        shift = tl.where(largest == -float("inf"), 0.0, largest)
        for start in range(0, n, N_TILE):
            mask = (start + rows < n) & (cols < inner)
            offsets = base + (start + rows).to(tl.int64) * inner + cols
            x = tl.load(x_ptr + offsets, mask=mask, other=-float("inf")).to(ACC)
            tl.store(y_ptr + offsets, tl.exp(x - shift[None, :]) / total[None, :], mask=mask)


def softmax(input, dim, dtype=None):
    dtype = dtype or input.dtype
    dim = dim % input.dim()
    x = input.contiguous()
    y = torch.empty(x.shape, dtype=dtype, device=x.device)
    if x.numel() == 0:
        return y
    n = x.shape[dim]
    outer, inner = math.prod(x.shape[:dim]), math.prod(x.shape[dim + 1:])

    inner_tile = min(triton.next_power_of_2(inner), 32)
    one_tile = triton.next_power_of_2(n) * inner_tile <= MAX_TILE
    n_tile = triton.next_power_of_2(n) if one_tile else max(4096 // inner_tile, 1)
    warps = min(max(n_tile * inner_tile // 512, 1), 16)
    acc = tl.float64 if torch.float64 in (x.dtype, dtype) else tl.float32
    softmax_kernel[(outer * triton.cdiv(inner, inner_tile),)](
        x, y, n, inner, N_TILE=n_tile, INNER_TILE=inner_tile, ONE_TILE=one_tile, ACC=acc, num_warps=warps
    )
    return y
