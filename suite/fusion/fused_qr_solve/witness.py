"""Least squares in Triton by Householder reflections of [A | b], a column at a time; Q is never formed.

Three launches per column. Many programs multiply column j with the columns to its right, each over a chunk of rows;
one program adds the chunks up and finds the reflection H = I - 2 v v^T / |v|^2 and what it subtracts from each column;
many programs subtract that. v is column j below the diagonal as it stands, only its first element is new. At the end
a back substitution solves with R.
"""
import torch
import triton
import triton.language as tl

CHUNKS = 256  # of rows, at most
ROWS, COLS = 64, 32


@triton.jit(do_not_specialize=["j"])
def products_kernel(
    w_ptr, partial_ptr, j, m, width, chunk, ROWS: tl.constexpr, COLS: tl.constexpr,
):
    """Products of column j with the columns from j on, over one chunk of the rows below row j."""
    w_ptr += j
    first = j + 1 + tl.program_id(0) * chunk
    last = tl.minimum(first + chunk, m)
    col = tl.program_id(1) * COLS + tl.arange(0, COLS)
    total = tl.zeros((ROWS, COLS), w_ptr.dtype.element_ty)
    for start in range(first, last, ROWS):
        row = start + tl.arange(0, ROWS)
        rows = w_ptr + row.to(tl.int64) * width
        x = tl.load(rows, mask=row < last, other=0.0)
        mask = (row < last)[:, None] & (col < width - j)[None, :]
        total += x[:, None] * tl.load(rows[:, None] + col[None, :], mask=mask, other=0.0)
    tl.store(partial_ptr + tl.program_id(0) * width + j + col, tl.sum(total, axis=0), mask=col < width - j)


@triton.jit(do_not_specialize=["j", "chunks"])
def reflection_kernel(
    w_ptr, partial_ptr, factor_ptr, j, width, chunks, CHUNKS: tl.constexpr, COLS: tl.constexpr,
):
    """factor[c], for c > j, is what times v is subtracted from column c. factor[j] takes the first element of v."""
    i = tl.arange(0, CHUNKS)
    tail = tl.sum(tl.load(partial_ptr + i * width + j, mask=i < chunks, other=0.0), axis=0)
    w_ptr += j.to(tl.int64) * width
    head = tl.load(w_ptr + j)
    norm = tl.sqrt(head * head + tail)
    reflects = tail > 0  # a column that is zero below the diagonal stays as it is
    diagonal = tl.where(reflects, tl.where(head > 0, -norm, norm), head)  # head - diagonal does not cancel
    v_head = head - diagonal
    scale = tl.where(reflects, 2.0 / tl.where(reflects, tail + v_head * v_head, 1.0), 0.0)
    for start in range(j + 1, width, COLS):
        col = start + tl.arange(0, COLS)
        mask = (i < chunks)[:, None] & (col < width)[None, :]
        product = tl.sum(tl.load(partial_ptr + i[:, None] * width + col[None, :], mask=mask, other=0.0), axis=0)
        top = tl.load(w_ptr + col, mask=col < width, other=0.0)
        tl.store(factor_ptr + col, scale * (product + v_head * top), mask=col < width)
    tl.store(factor_ptr + j, v_head)
    tl.debug_barrier()  # everybody has read the head
    tl.store(w_ptr + j, diagonal)


@triton.jit(do_not_specialize=["j"])
def apply_kernel(w_ptr, factor_ptr, j, m, width, ROWS: tl.constexpr, COLS: tl.constexpr):
    """Subtracts v times factor from a tile at or below row j, to the right of column j."""
    row = j + tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    col = j + 1 + tl.program_id(1) * COLS + tl.arange(0, COLS)
    rows = w_ptr + row.to(tl.int64) * width
    below = tl.load(rows + j, mask=(row > j) & (row < m), other=0.0)
    v = tl.where(row == j, tl.load(factor_ptr + j), below)
    factor = tl.load(factor_ptr + col, mask=col < width, other=0.0)
    at = rows[:, None] + col[None, :]
    mask = (row < m)[:, None] & (col < width)[None, :]
    tl.store(at, tl.load(at, mask=mask, other=0.0) - v[:, None] * factor[None, :], mask=mask)


@triton.jit
def back_kernel(w_ptr, n, width, ROWS: tl.constexpr, COLS: tl.constexpr):
    """Back substitution with R for a block of right-hand sides: blocks of unknowns from the last to the first."""
    col = n + tl.program_id(0) * COLS + tl.arange(0, COLS)
    blocks = tl.cdiv(n, ROWS)
    for i in range(blocks):
        first = (blocks - 1 - i) * ROWS
        last = tl.minimum(first + ROWS, n)
        row = first + tl.arange(0, ROWS)
        at = w_ptr + row[:, None] * width + col[None, :]
        mask = (row < n)[:, None] & (col < width)[None, :]
        x = tl.load(at, mask=mask, other=0.0)
        for j in range(last, n):
            u = tl.load(w_ptr + row * width + j, mask=row < n, other=0.0)
            x -= u[:, None] * tl.load(w_ptr + j * width + col, mask=col < width, other=0.0)[None, :]
        for back in range(last - first):
            j = last - 1 - back
            known = tl.sum(tl.where((row == j)[:, None], x, 0.0), axis=0) / tl.load(w_ptr + j * width + j)
            u = tl.load(w_ptr + row * width + j, mask=row < j, other=0.0)
            x = tl.where((row == j)[:, None], known[None, :], x - u[:, None] * known[None, :])
        tl.store(at, x, mask=mask)
        tl.debug_barrier()


def fused_qr_solve(A, b):
    (m, n), k = A.shape, b.shape[1]
    width = n + k
    w = torch.empty((m, width), dtype=A.dtype, device=A.device)
    w[:, :n].copy_(A)
    w[:, n:].copy_(b)
    if k == 0 or n == 0:
        return w[:n, n:].contiguous()
    partial = torch.empty((CHUNKS, width), dtype=A.dtype, device=A.device)
    factor = torch.empty((width,), dtype=A.dtype, device=A.device)
    chunk = triton.cdiv(triton.cdiv(m, CHUNKS), ROWS) * ROWS
    for j in range(n):
        chunks = max(triton.cdiv(m - j - 1, chunk), 1)
        grid = (chunks, triton.cdiv(width - j, COLS))
        products_kernel[grid](w, partial, j, m, width, chunk, ROWS=ROWS, COLS=COLS)
        reflection_kernel[(1,)](w, partial, factor, j, width, chunks, CHUNKS=CHUNKS, COLS=COLS)
        grid = (triton.cdiv(m - j, ROWS), triton.cdiv(width - j - 1, COLS))
        apply_kernel[grid](w, factor, j, m, width, ROWS=ROWS, COLS=COLS)
    back_kernel[(triton.cdiv(k, 16),)](w, n, width, ROWS=32, COLS=16)
    return w[:n, n:].contiguous()
