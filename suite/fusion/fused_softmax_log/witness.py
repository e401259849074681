"""Softmax of logarithms in Triton: softmax(log x) = x / sum(x), so neither a logarithm nor an exponential is needed.

Everything is divided by the largest element first, as softmax subtracts the largest logarithm: sums cannot overflow.
A negative number counts as NaN, as its logarithm would. The input is seen as (outer, n, inner), n being the dimension
that sums to one. When n fits in one tile, the tile is read once and stays in registers. Otherwise a first pass keeps a
running maximum and a running sum in units of it, and a second pass writes.
"""
import math

import torch
import triton
import triton.language as tl

MAX_TILE = 16384  # elements of one tile


@triton.jit
def load(x_ptr, offsets, mask, ACC: tl.constexpr):
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
    return tl.where(x < 0, float("nan"), x)


@triton.jit
def unit(largest):
    # A slice of zeros has no unit; with this one its quotients are 0 / 0 in the end. A NaN stays out of the maximum but
    # not out of the sum, and inf / inf is NaN, as it should be.
    return tl.where(largest > 0, largest, 1.0)


@triton.jit
def softmax_log_kernel(
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
        x = load(x_ptr, offsets, mask, ACC)
        x = x / unit(tl.max(x, axis=0))[None, :]
        tl.store(y_ptr + offsets, x / tl.sum(x, axis=0)[None, :], mask=mask)
    else:
        largest = tl.zeros((INNER_TILE,), ACC)
        total = tl.zeros((INNER_TILE,), ACC)
        for start in range(0, n, N_TILE):
            mask = (start + rows < n) & (cols < inner)
            x = load(x_ptr, base + (start + rows).to(tl.int64) * inner + cols, mask, ACC)
            new_largest = tl.maximum(largest, tl.max(x, axis=0))
            total = total * (unit(largest) / unit(new_largest)) + tl.sum(x / unit(new_largest)[None, :], axis=0)
            largest = new_largest
        for start in range(0, n, N_TILE):
            mask = (start + rows < n) & (cols < inner)
            offsets = base + (start + rows).to(tl.int64) * inner + cols
            x = load(x_ptr, offsets, mask, ACC)
            tl.store(y_ptr + offsets, x / unit(largest)[None, :] / total[None, :], mask=mask)


def fused_softmax_log(input, dim=-1, dtype=None):
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
    softmax_log_kernel[(outer * triton.cdiv(inner, inner_tile),)](
        x, y, n, inner, N_TILE=n_tile, INNER_TILE=inner_tile, ONE_TILE=one_tile, ACC=acc, num_warps=warps
    )
    return y
