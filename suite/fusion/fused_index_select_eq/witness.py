"""Select slices and compare, in Triton.

Input, other and result are seen with four dimensions, missing ones of size 1 in front. A program compares a tile of
(rows, columns) of the result, where a row is all but the last dimension: its place is computed once a row, not once an
element. Input and other are read through their own strides, so a broadcast operand simply has strides of 0.
"""
import torch
import triton
import triton.language as tl

TILE = 2048


@triton.jit
def select_eq_kernel(
    x_ptr, index_ptr, other_ptr, y_ptr, rows, size1, size2, columns, xs0, xs1, xs2, xs3, os0, os1, os2, os3,
    DIM: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr,
):
    col_tiles = tl.cdiv(columns, COLS)
    row = (tl.program_id(0) // col_tiles).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    col = ((tl.program_id(0) % col_tiles) * COLS + tl.arange(0, COLS)).to(tl.int64)
    mask = (row < rows)[:, None] & (col < columns)[None, :]
    i0, i1, i2 = row // (size1 * size2), row // size2 % size1, row % size2
    other_row = i0 * os0 + i1 * os1 + i2 * os2
    other = tl.load(other_ptr + other_row[:, None] + (col * os3)[None, :], mask=mask, other=0)
    # Along DIM the index says where the slice lies.
    source = col
    if DIM == 0:
        i0 = tl.load(index_ptr + i0, mask=row < rows, other=0)
    elif DIM == 1:
        i1 = tl.load(index_ptr + i1, mask=row < rows, other=0)
    elif DIM == 2:
        i2 = tl.load(index_ptr + i2, mask=row < rows, other=0)
    else:
        source = tl.load(index_ptr + col, mask=col < columns, other=0)
    x_row = i0 * xs0 + i1 * xs1 + i2 * xs2
    x = tl.load(x_ptr + x_row[:, None] + (source * xs3)[None, :], mask=mask, other=0)
    tl.store(y_ptr + row[:, None] * columns + col[None, :], x == other, mask=mask)


def four(values, missing):
    return [missing] * (4 - len(values)) + list(values)


def fused_index_select_eq(input, dim, index, other, *, out=None):
    dim = dim % input.dim()
    shape = input.shape[:dim] + (index.numel(),) + input.shape[dim + 1:]
    result = torch.empty(shape, dtype=torch.bool, device=input.device)
    # As a tensor of input's dtype: a number handed to a kernel would become float32.
    if not isinstance(other, torch.Tensor):
        other = torch.full((), other, dtype=input.dtype, device=input.device)
    if result.numel() > 0:
        _, size1, size2, columns = four(shape, 1)
        rows = result.numel() // columns
        cols_tile = min(triton.next_power_of_2(columns), 512)
        rows_tile = TILE // cols_tile
        grid = (triton.cdiv(rows, rows_tile) * triton.cdiv(columns, cols_tile),)
        select_eq_kernel[grid](
            input, index.to(torch.int64).contiguous(), other, result, rows, size1, size2, columns,
            *four(input.stride(), 0), *four(other.expand(shape).stride(), 0),
            DIM=dim + 4 - input.dim(), ROWS=rows_tile, COLS=cols_tile, num_warps=4,
        )
    return result if out is None else out.copy_(result)
