"""Expand, then choose by a condition, in Triton: all tensors are read through the strides of their broadcast form.

The result is seen as rows of its last dimension. A program owns a tile (rows, columns); a row's number is taken apart
into its up to three outer indices once a row, so that no element needs a division.
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
def expand_where_kernel(
    x_ptr, cond_ptr, other_ptr, y_ptr, rows, size_b, size_c, columns, x_a, x_b, x_c, x_column,
    cond_a, cond_b, cond_c, cond_column, other_a, other_b, other_c, other_column, blocks,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):
    row = (tl.program_id(0) // blocks).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    column = (tl.program_id(0) % blocks).to(tl.int64) * COLUMNS + tl.arange(0, COLUMNS)
    mask = (row < rows)[:, None] & (column < columns)[None, :]
    a, b, c = row // (size_b * size_c), row // size_c % size_b, row % size_c
    cond = tl.load(cond_ptr + place(a, b, c, column, cond_a, cond_b, cond_c, cond_column), mask=mask, other=0)
    x = tl.load(x_ptr + place(a, b, c, column, x_a, x_b, x_c, x_column), mask=mask, other=0)
    other = tl.load(other_ptr + place(a, b, c, column, other_a, other_b, other_c, other_column), mask=mask, other=0)
    tl.store(y_ptr + row[:, None] * columns + column[None, :], tl.where(cond, x, other), mask=mask)


def expand_where(input, target_sizes, cond, other):
    x = input.expand(target_sizes)
    if not isinstance(other, torch.Tensor):
        # As a tensor of x's dtype: a number handed to a kernel would become float32.
        other = torch.full((), other, dtype=x.dtype, device=x.device)
    y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        shape = (1,) * (4 - y.dim()) + tuple(y.shape)
        x, cond, other = x.expand(shape), cond.expand(shape), other.expand(shape)
        rows, columns = shape[0] * shape[1] * shape[2], shape[3]
        column_tile = min(triton.next_power_of_2(columns), 1024)
        row_tile = min(1024 // column_tile, triton.next_power_of_2(rows))
        blocks = triton.cdiv(columns, column_tile)
        expand_where_kernel[(triton.cdiv(rows, row_tile) * blocks,)](
            x, cond, other, y, rows, *shape[1:], *x.stride(), *cond.stride(), *other.stride(), blocks,
            ROWS=row_tile, COLUMNS=column_tile, num_warps=4,
        )
    return y
