"""Determinant in Triton by Householder reflections: R's diagonal is multiplied up, each reflection changes the sign.

One launch per column. A program owns a block of columns to the right; it finds the reflection of column j by itself,
while it computes its products with those columns, and applies it. Q is not needed, nor are R's elements off the
diagonal, so column j and row j stay as they are: nobody reads them again, and nobody waits for anybody.
"""
import torch
import triton
import triton.language as tl

COLUMNS = 32


@triton.jit(do_not_specialize=["j"])
def reflect_kernel(w_ptr, det_ptr, j, n, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """H = I - 2 v v^T / |v|^2 with v = x - diagonal e_j reflects x, column j of a matrix w (n, n), onto axis j."""
    w_ptr += tl.program_id(0).to(tl.int64) * n * n
    col = j + 1 + tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    squares = tl.zeros((ROWS,), w_ptr.dtype.element_ty)
    products = tl.zeros((ROWS, COLUMNS), w_ptr.dtype.element_ty)
    for start in range(j + 1, n, ROWS):
        row = start + tl.arange(0, ROWS)
        mask = (row < n)[:, None] & (col < n)[None, :]
        x = tl.load(w_ptr + row * n + j, mask=row < n, other=0.0)
        squares += x * x
        products += x[:, None] * tl.load(w_ptr + row[:, None] * n + col[None, :], mask=mask, other=0.0)
    tail = tl.sum(squares, axis=0)
    head = tl.load(w_ptr + j * n + j)
    norm = tl.sqrt(head * head + tail)
    diagonal = tl.where(head > 0, -norm, norm)  # away from head: head - diagonal does not cancel
    reflects = tail > 0  # a column that is zero below the diagonal stays as it is
    v_head = head - diagonal
    v_square = tl.where(reflects, tail + v_head * v_head, 1.0)
    top = tl.load(w_ptr + j * n + col, mask=col < n, other=0.0)
    factor = tl.where(reflects, 2.0 / v_square, 0.0) * (tl.sum(products, axis=0) + v_head * top)
    for start in range(j + 1, n, ROWS):
        row = start + tl.arange(0, ROWS)
        at = w_ptr + row[:, None] * n + col[None, :]
        mask = (row < n)[:, None] & (col < n)[None, :]
        x = tl.load(w_ptr + row * n + j, mask=row < n, other=0.0)
        tl.store(at, tl.load(at, mask=mask, other=0.0) - x[:, None] * factor[None, :], mask=mask)
    if tl.program_id(1) == 0:
        det_ptr += tl.program_id(0)
        tl.store(det_ptr, tl.load(det_ptr) * tl.where(reflects, -diagonal, head))


def determinant_via_qr(A, *, mode="reduced", out=None):
    n = A.shape[-1]
    result = torch.ones(A.shape[:-2], dtype=A.dtype, device=A.device)
    batch = result.numel()
    w = torch.empty((batch, n, n), dtype=A.dtype, device=A.device)
    w.copy_(A.reshape(batch, n, n))
    for j in range(n if batch > 0 else 0):
        grid = (batch, max(triton.cdiv(n - 1 - j, COLUMNS), 1))
        reflect_kernel[grid](w, result, j, n, ROWS=64, COLUMNS=COLUMNS, num_warps=4)
    return result if out is None else out.copy_(result)
