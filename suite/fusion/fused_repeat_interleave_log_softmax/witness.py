"""Repeat elements, then log-softmax, in Triton.

Nothing is repeated before the end: a copy adds to the sum what its source adds, so the sum over the repeated elements
is the sum of repeats[i] exp(x[i] - max). The input is seen as (outer, n, inner); a program owns one `outer` and a tile
of `inner`, reads its n elements twice, and writes each result as often as it is repeated.
"""
import math

import torch
import triton
import triton.language as tl


@triton.jit
def repeat_log_softmax_kernel(
    x_ptr, y_ptr, repeats_ptr, ends_ptr, repeats, n, inner, length,
    N_TILE: tl.constexpr, INNER_TILE: tl.constexpr, COUNTS: tl.constexpr, ACC: tl.constexpr,
):
    inner_tiles = tl.cdiv(inner, INNER_TILE)
    outer = (tl.program_id(0) // inner_tiles).to(tl.int64)
    cols = (tl.program_id(0) % inner_tiles) * INNER_TILE + tl.arange(0, INNER_TILE)
    x_ptr += outer * n * inner
    y_ptr += outer * length * inner
    largest = tl.full((INNER_TILE,), -float("inf"), ACC)
    total = tl.zeros((INNER_TILE,), ACC)
    for start in range(0, n, N_TILE):
        rows = start + tl.arange(0, N_TILE)
        count = tl.where(rows < n, repeats, 0)
        if COUNTS:
            count = tl.load(repeats_ptr + rows, mask=rows < n, other=0)
        mask = (count > 0)[:, None] & (cols < inner)[None, :]
        offsets = rows[:, None].to(tl.int64) * inner + cols[None, :]
        x = tl.load(x_ptr + offsets, mask=mask, other=-float("inf")).to(ACC)
        new_largest = tl.maximum(largest, tl.max(x, axis=0))
        # What is -inf so far has no maximum to subtract: its sum stays 0.
        shift = tl.where(new_largest == -float("inf"), 0.0, new_largest)
        terms = tl.exp(x - shift[None, :]) * count[:, None].to(ACC)
        total = total * tl.exp(largest - shift) + tl.sum(terms, axis=0)
        largest = new_largest
    shift = largest + tl.log(total)
    for start in range(0, n, N_TILE):
        rows = start + tl.arange(0, N_TILE)
        count = tl.where(rows < n, repeats, 0)
        first = rows * repeats
        most = repeats
        if COUNTS:
            count = tl.load(repeats_ptr + rows, mask=rows < n, other=0)
            first = tl.load(ends_ptr + rows, mask=rows < n, other=0) - count
            most = tl.max(count, axis=0)
        mask = (count > 0)[:, None] & (cols < inner)[None, :]
        x = tl.load(x_ptr + rows[:, None].to(tl.int64) * inner + cols[None, :], mask=mask, other=0.0).to(ACC)
        for copy in range(most):
            offsets = (first + copy)[:, None].to(tl.int64) * inner + cols[None, :]
            tl.store(y_ptr + offsets, x - shift[None, :], mask=mask & (copy < count)[:, None])


def fused_repeat_interleave_log_softmax(input, repeats, dim=None, *, output_size=None, dtype=None, out=None):
    dtype = dtype or input.dtype
    x = (input.reshape(-1) if dim is None else input).contiguous()
    dim = 0 if dim is None else dim % x.dim()
    n = x.shape[dim]
    outer, inner = math.prod(x.shape[:dim]), math.prod(x.shape[dim + 1:])
    counts = isinstance(repeats, torch.Tensor)
    length = output_size
    if length is None:
        length = int(repeats.sum().item()) if counts else n * repeats
    y = torch.empty(x.shape[:dim] + (length,) + x.shape[dim + 1:], dtype=dtype, device=x.device)
    if y.numel() > 0:
        repeats_tensor, ends = (repeats.contiguous(), repeats.cumsum(0)) if counts else (x, x)
        inner_tile = min(triton.next_power_of_2(inner), 64)
        n_tile = min(triton.next_power_of_2(n), 2048 // inner_tile)
        acc = tl.float64 if torch.float64 in (x.dtype, dtype) else tl.float32
        repeat_log_softmax_kernel[(outer * triton.cdiv(inner, inner_tile),)](
            x, y, repeats_tensor, ends, 1 if counts else repeats, n, inner, length,
            N_TILE=n_tile, INNER_TILE=inner_tile, COUNTS=counts, ACC=acc, num_warps=4,
        )
    return y if out is None else out.copy_(y)
