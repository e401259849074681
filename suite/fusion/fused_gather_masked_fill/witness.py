"""Gather along a dimension, then masked fill, in Triton.

With the other dimensions cut to the index's sizes the input is (outer, n, inner) and the index (outer, k, inner). A
program makes a tile of the index's (outer * k) rows of `inner` elements; what is masked is not gathered at all.
"""
import math

import torch
import triton
import triton.language as tl

TILE = 2048


@triton.jit
def gather_fill_kernel(x_ptr, index_ptr, mask_ptr, value_ptr, y_ptr, rows, k, n, inner,
                       ROWS: tl.constexpr, COLS: tl.constexpr):
    col_tiles = tl.cdiv(inner, COLS)
    row = (tl.program_id(0) // col_tiles).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    col = (tl.program_id(0) % col_tiles) * COLS + tl.arange(0, COLS)
    inside = (row < rows)[:, None] & (col < inner)[None, :]
    offsets = row[:, None] * inner + col[None, :]
    filled = tl.load(mask_ptr + offsets, mask=inside, other=0) != 0
    index = tl.load(index_ptr + offsets, mask=inside, other=0)
    source = ((row // k * n)[:, None] + index) * inner + col[None, :]
    gathered = tl.load(x_ptr + source, mask=inside & (filled == 0), other=0)
    tl.store(y_ptr + offsets, tl.where(filled, tl.load(value_ptr), gathered), mask=inside)


def fused_gather_masked_fill(input, dim, index, mask, value, *, sparse_grad=False, out=None):
    dim = dim % input.dim()
    for d in range(input.dim()):
        if d != dim and index.shape[d] < input.shape[d]:
            input = input.narrow(d, 0, index.shape[d])
    k, n, inner = index.shape[dim], input.shape[dim], math.prod(index.shape[dim + 1:])
    # As a tensor of input's dtype: a number handed to a kernel would become float32.
    if isinstance(value, torch.Tensor):
        value = value.to(input.dtype)
    else:
        value = torch.full((), value, dtype=input.dtype, device=input.device)
    result = torch.empty(index.shape, dtype=input.dtype, device=input.device)
    if result.numel() > 0:
        rows = result.numel() // inner
        cols_tile = min(triton.next_power_of_2(inner), 512)
        rows_tile = TILE // cols_tile
        grid = (triton.cdiv(rows, rows_tile) * triton.cdiv(inner, cols_tile),)
        gather_fill_kernel[grid](
            input.contiguous(), index.contiguous(), mask.expand(index.shape).contiguous(), value, result,
            rows, k, n, inner, ROWS=rows_tile, COLS=cols_tile, num_warps=8,
        )
    return result if out is None else out.copy_(result)
