"""Reduction over the first dimension: the sum of squares of each column. Tiles of rows x columns, so that loads along a row are contiguous."""
import torch
import triton
import triton.language as tl


@triton.jit
def column_energy_kernel(x_ptr, out_ptr, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    columns_at = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    total = tl.zeros((COLUMNS,), tl.float32)
    for start in range(0, rows, ROWS):
        rows_at = start + tl.arange(0, ROWS)
        inside = (rows_at[:, None] < rows) & (columns_at[None, :] < columns)
        x = tl.load(x_ptr + rows_at[:, None].to(tl.int64) * columns + columns_at[None, :], mask=inside, other=0.0).to(tl.float32)
        total += tl.sum(x * x, axis=0)
    tl.store(out_ptr + columns_at, total, mask=columns_at < columns)


def column_energy(x):
    x = x.contiguous()
    rows, columns = x.shape
    out = torch.empty(columns, dtype=torch.float32, device=x.device)
    if columns > 0:
        column_energy_kernel[(triton.cdiv(columns, 64),)](x, out, rows, columns, ROWS=32, COLUMNS=64)
    return out
