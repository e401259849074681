"""Back substitution in Triton, a block of unknowns at a time, from the last to the first.

Two launches per block: one program solves with the block's triangle in registers and adds alpha * y to what it finds;
then many programs subtract the block's columns times its unknowns from the right-hand side above. So the triangle is
read once, all of the card takes part in that, and nothing below the diagonal is touched.
alpha is a constant of the kernel: as a plain argument it would be float32, also where the data are float64.
"""
import torch
import triton
import triton.language as tl

BLOCK = 64


@triton.jit(do_not_specialize=["first"])
def solve_kernel(
    a_ptr, x_ptr, y_ptr, out_ptr, first, n, alpha: tl.constexpr, a_row, a_col, y_stride, BLOCK: tl.constexpr,
):
    """Unknowns first .. first + BLOCK in place of their right-hand sides in x."""
    i = tl.arange(0, BLOCK)
    at = first + i
    mask = (i[:, None] <= i[None, :]) & (at < n)[None, :]
    wide = at.to(tl.int64)
    triangle = tl.load(a_ptr + wide[:, None] * a_row + wide[None, :] * a_col, mask=mask, other=0.0)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    size = tl.minimum(BLOCK, n - first)
    for back in range(size):
        j = size - 1 - back
        column = tl.sum(tl.where((i == j)[None, :], triangle, 0.0), axis=1)
        known = tl.sum(tl.where(i == j, x, 0.0), axis=0) / tl.sum(tl.where(i == j, column, 0.0), axis=0)
        x = tl.where(i == j, known, tl.where(i < j, x - column * known, x))
    tl.store(x_ptr + at, x, mask=at < n)
    y = tl.load(y_ptr + wide * y_stride, mask=at < n, other=0.0)
    tl.store(out_ptr + at, x + alpha * y, mask=at < n)


@triton.jit(do_not_specialize=["first"])
def subtract_kernel(a_ptr, x_ptr, first, n, a_row, a_col, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """Takes the block's unknowns out of the equations above it."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    col = first + tl.arange(0, BLOCK)
    mask = (row < first)[:, None] & (col < n)[None, :]
    a = tl.load(a_ptr + row[:, None].to(tl.int64) * a_row + col[None, :].to(tl.int64) * a_col, mask=mask, other=0.0)
    known = tl.load(x_ptr + col, mask=col < n, other=0.0)
    right = tl.load(x_ptr + row, mask=row < first, other=0.0)
    tl.store(x_ptr + row, right - tl.sum(a * known[None, :], axis=1), mask=row < first)


def solve_and_add_scaled_vector(A, b, y, alpha):
    n = A.shape[0]
    x = torch.empty((n,), dtype=A.dtype, device=A.device)
    x.copy_(b)
    out = torch.empty_like(x)
    for first in reversed(range(0, n, BLOCK)):
        solve_kernel[(1,)](A, x, y, out, first, n, float(alpha), *A.stride(), y.stride(0), BLOCK=BLOCK, num_warps=4)
        if first > 0:
            subtract_kernel[(triton.cdiv(first, 32),)](A, x, first, n, *A.stride(), ROWS=32, BLOCK=BLOCK, num_warps=4)
    return out
