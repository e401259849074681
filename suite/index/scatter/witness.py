"""Scatter into a copy in Triton: one launch copies input, a second one stores the elements of src over the copy.

Both see tensors with four dimensions, as rows of the last one. A program owns a tile (rows, columns); a row's number is
taken apart into its outer indices once a row. In the second launch the dimension dim has stride 0 in the result, and
what index says times its true stride is added.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def place(a, b, c, column, stride_a, stride_b, stride_c, stride_column):
    """Offsets of a tile in a tensor with these strides."""
    rows = a * stride_a + b * stride_b + c * stride_c
    return rows[:, None] + (column * stride_column)[None, :]


@triton.jit
def copy_kernel(
    x_ptr, y_ptr, rows, size_b, size_c, columns, x_a, x_b, x_c, x_column, blocks,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):
    row = (tl.program_id(0) // blocks).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    column = (tl.program_id(0) % blocks).to(tl.int64) * COLUMNS + tl.arange(0, COLUMNS)
    mask = (row < rows)[:, None] & (column < columns)[None, :]
    a, b, c = row // (size_b * size_c), row // size_c % size_b, row % size_c
    x = tl.load(x_ptr + place(a, b, c, column, x_a, x_b, x_c, x_column), mask=mask, other=0)
    tl.store(y_ptr + row[:, None] * columns + column[None, :], x, mask=mask)


@triton.jit
def scatter_kernel(
    index_ptr, src_ptr, y_ptr, rows, size_b, size_c, columns, index_a, index_b, index_c, index_column,
    src_a, src_b, src_c, src_column, y_a, y_b, y_c, y_column, y_dim, blocks, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):
    row = (tl.program_id(0) // blocks).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    column = (tl.program_id(0) % blocks).to(tl.int64) * COLUMNS + tl.arange(0, COLUMNS)
    mask = (row < rows)[:, None] & (column < columns)[None, :]
    a, b, c = row // (size_b * size_c), row // size_c % size_b, row % size_c
    index = tl.load(index_ptr + place(a, b, c, column, index_a, index_b, index_c, index_column), mask=mask, other=0)
    src = tl.load(src_ptr + place(a, b, c, column, src_a, src_b, src_c, src_column), mask=mask, other=0)
    tl.store(y_ptr + place(a, b, c, column, y_a, y_b, y_c, y_column) + index * y_dim, src, mask=mask)


def tiles(shape):
    """Rows, grid, and sizes of the tiles for a tensor of four dimensions."""
    rows, columns = shape[0] * shape[1] * shape[2], shape[3]
    column_tile = min(triton.next_power_of_2(columns), 1024)
    row_tile = min(1024 // column_tile, triton.next_power_of_2(rows))
    blocks = triton.cdiv(columns, column_tile)
    return rows, blocks, (triton.cdiv(rows, row_tile) * blocks,), {"ROWS": row_tile, "COLUMNS": column_tile}


def scatter(input, dim, index, src):
    y = torch.empty(input.shape, dtype=input.dtype, device=input.device)
    missing = 4 - input.dim()

    def four(numbers, filler):
        return [filler] * missing + list(numbers)

    if y.numel() > 0:
        shape = four(input.shape, 1)
        rows, blocks, grid, tile = tiles(shape)
        copy_kernel[grid](input, y, rows, *shape[1:], *four(input.stride(), 0), blocks, **tile, num_warps=4)
    if index.numel() > 0:
        shape, y_strides = four(index.shape, 1), four(y.stride(), 0)
        at = dim % input.dim() + missing
        y_dim, y_strides[at] = y_strides[at], 0
        rows, blocks, grid, tile = tiles(shape)
        scatter_kernel[grid](
            index, src, y, rows, *shape[1:], *four(index.stride(), 0), *four(src.stride(), 0), *y_strides, y_dim,
            blocks, **tile, num_warps=4,
        )
    return y
