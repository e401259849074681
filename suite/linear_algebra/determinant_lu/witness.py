"""Determinant in Triton by LU factorization with partial pivoting, a panel of columns at a time.

A panel is eliminated by one program per matrix; it exchanges whole rows and multiplies its pivots, each with the sign
of its exchange, into the result. Then the rows beside the panel and the rest of the matrix follow in parallel. The
threads of a program exchange data through global memory, with a barrier between writing and reading it.
"""
import torch
import triton
import triton.language as tl

PANEL = 32


@triton.jit(do_not_specialize=["first", "last"])
def panel_kernel(
    w_ptr, det_ptr, first, last, n, PANEL: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr,
):
    """Eliminates the columns from first to last of a matrix w (n, n), whose factors up to there are done."""
    w_ptr += tl.program_id(0).to(tl.int64) * n * n
    det_ptr += tl.program_id(0)
    panel = first + tl.arange(0, PANEL)
    det = tl.load(det_ptr)
    for j in range(first, last):
        most = tl.full((ROWS,), -1.0, w_ptr.dtype.element_ty)
        place = j + tl.zeros((ROWS,), tl.int32)
        for start in range(j, n, ROWS):
            row = start + tl.arange(0, ROWS)
            size = tl.abs(tl.load(w_ptr + row * n + j, mask=row < n, other=0.0))
            larger = (row < n) & (size > most)
            place = tl.where(larger, row, place)
            most = tl.where(larger, size, most)
        pivot = tl.min(tl.where(most == tl.max(most, axis=0), place, n), axis=0)
        if pivot != j:
            for start in range(0, n, COLS):
                col = start + tl.arange(0, COLS)
                upper = tl.load(w_ptr + j * n + col, mask=col < n)
                lower = tl.load(w_ptr + pivot * n + col, mask=col < n)
                tl.debug_barrier()  # everybody has read before anybody writes
                tl.store(w_ptr + j * n + col, lower, mask=col < n)
                tl.store(w_ptr + pivot * n + col, upper, mask=col < n)
            tl.debug_barrier()
        head = tl.load(w_ptr + j * n + j)
        det *= tl.where(pivot != j, -head, head)
        divisor = tl.where(head == 0.0, 1.0, head)  # a pivot of zero has only zeros below it
        pivot_row = tl.load(w_ptr + j * n + panel, mask=(panel > j) & (panel < last), other=0.0)
        for start in range(j + 1, n, ROWS):
            row = start + tl.arange(0, ROWS)
            at = w_ptr + row[:, None] * n + panel[None, :]
            mask = (row < n)[:, None] & ((panel >= j) & (panel < last))[None, :]
            block = tl.load(at, mask=mask, other=0.0)
            factor = tl.sum(tl.where((panel == j)[None, :], block, 0.0), axis=1) / divisor
            block = tl.where((panel == j)[None, :], factor[:, None], block - factor[:, None] * pivot_row[None, :])
            tl.store(at, block, mask=mask)
        tl.debug_barrier()
    tl.store(det_ptr, det)


@triton.jit(do_not_specialize=["first", "last"])
def rows_kernel(w_ptr, first, last, n, PANEL: tl.constexpr, COLS: tl.constexpr):
    """The rows of U beside the panel: solves with the panel's unit lower triangle."""
    w_ptr += tl.program_id(0).to(tl.int64) * n * n
    row = first + tl.arange(0, PANEL)
    col = last + tl.program_id(1) * COLS + tl.arange(0, COLS)
    at = w_ptr + row[:, None] * n + col[None, :]
    mask = (row < last)[:, None] & (col < n)[None, :]
    u = tl.load(at, mask=mask, other=0.0)
    for j in range(first, last):
        factor = tl.load(w_ptr + row * n + j, mask=(row > j) & (row < last), other=0.0)
        u -= factor[:, None] * tl.sum(tl.where((row == j)[:, None], u, 0.0), axis=0)[None, :]
    tl.store(at, u, mask=mask)


@triton.jit(do_not_specialize=["first", "last"])
def update_kernel(w_ptr, first, last, n, ROWS: tl.constexpr, COLS: tl.constexpr):
    """Subtracts the product of the panel and its rows from a tile of what remains."""
    w_ptr += tl.program_id(0).to(tl.int64) * n * n
    row = last + tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    col = last + tl.program_id(2) * COLS + tl.arange(0, COLS)
    at = w_ptr + row[:, None] * n + col[None, :]
    mask = (row < n)[:, None] & (col < n)[None, :]
    rest = tl.load(at, mask=mask, other=0.0)
    for j in range(first, last):
        left = tl.load(w_ptr + row * n + j, mask=row < n, other=0.0)
        right = tl.load(w_ptr + j * n + col, mask=col < n, other=0.0)
        rest -= left[:, None] * right[None, :]
    tl.store(at, rest, mask=mask)


def determinant_lu(A, *, pivot=True, out=None):
    n = A.shape[-1]
    result = torch.ones(A.shape[:-2], dtype=A.dtype, device=A.device)
    batch = result.numel()
    w = torch.empty((batch, n, n), dtype=A.dtype, device=A.device)
    w.copy_(A.reshape(batch, n, n))
    for first in range(0, n if batch > 0 else 0, PANEL):
        last = min(first + PANEL, n)
        panel_kernel[(batch,)](w, result, first, last, n, PANEL=PANEL, ROWS=64, COLS=256)
        if last < n:
            tiles = triton.cdiv(n - last, 64)
            rows_kernel[(batch, tiles)](w, first, last, n, PANEL=PANEL, COLS=64)
            update_kernel[(batch, tiles, tiles)](w, first, last, n, ROWS=64, COLS=64)
    return result if out is None else out.copy_(result)
