"""LU factorization in Triton, a panel of columns at a time.

A panel is eliminated by one program per matrix; it exchanges whole rows and keeps track of them. Then the rows of U
beside the panel and the rest of the matrix follow in parallel. At the end L, U and P are written from the packed
factors. The threads of a program exchange data through global memory, with a barrier between writing and reading it.
"""
import torch
import triton
import triton.language as tl

PANEL = 32


@triton.jit(do_not_specialize=["first", "last"])
def panel_kernel(
    w_ptr, order_ptr, first, last, m, n,
    PIVOT: tl.constexpr, PANEL: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr,
):
    """Eliminates the columns from first to last of w (m, n). Row i of the result is row order[i] of the matrix."""
    w_ptr += tl.program_id(0).to(tl.int64) * m * n
    order_ptr += tl.program_id(0).to(tl.int64) * m
    panel = first + tl.arange(0, PANEL)
    if first == 0:
        for start in range(0, m, ROWS):
            row = start + tl.arange(0, ROWS)
            tl.store(order_ptr + row, row, mask=row < m)
        tl.debug_barrier()
    for j in range(first, last):
        if PIVOT:
            most = tl.full((ROWS,), -1.0, w_ptr.dtype.element_ty)
            place = j + tl.zeros((ROWS,), tl.int32)
            for start in range(j, m, ROWS):
                row = start + tl.arange(0, ROWS)
                size = tl.abs(tl.load(w_ptr + row * n + j, mask=row < m, other=0.0))
                larger = (row < m) & (size > most)
                place = tl.where(larger, row, place)
                most = tl.where(larger, size, most)
            pivot = tl.min(tl.where(most == tl.max(most, axis=0), place, m), axis=0)
            if pivot != j:
                row_j, row_pivot = tl.load(order_ptr + j), tl.load(order_ptr + pivot)
                for start in range(0, n, COLS):
                    col = start + tl.arange(0, COLS)
                    upper = tl.load(w_ptr + j * n + col, mask=col < n)
                    lower = tl.load(w_ptr + pivot * n + col, mask=col < n)
                    tl.debug_barrier()  # everybody has read before anybody writes
                    tl.store(w_ptr + j * n + col, lower, mask=col < n)
                    tl.store(w_ptr + pivot * n + col, upper, mask=col < n)
                tl.debug_barrier()
                tl.store(order_ptr + j, row_pivot)
                tl.store(order_ptr + pivot, row_j)
                tl.debug_barrier()
        head = tl.load(w_ptr + j * n + j)
        divisor = tl.where(head == 0.0, 1.0, head)  # a pivot of zero has only zeros below it
        pivot_row = tl.load(w_ptr + j * n + panel, mask=(panel > j) & (panel < last), other=0.0)
        for start in range(j + 1, m, ROWS):
            row = start + tl.arange(0, ROWS)
            at = w_ptr + row[:, None] * n + panel[None, :]
            mask = (row < m)[:, None] & ((panel >= j) & (panel < last))[None, :]
            block = tl.load(at, mask=mask, other=0.0)
            factor = tl.sum(tl.where((panel == j)[None, :], block, 0.0), axis=1) / divisor
            block = tl.where((panel == j)[None, :], factor[:, None], block - factor[:, None] * pivot_row[None, :])
            tl.store(at, block, mask=mask)
        tl.debug_barrier()


@triton.jit(do_not_specialize=["first", "last"])
def rows_kernel(w_ptr, first, last, m, n, PANEL: tl.constexpr, COLS: tl.constexpr):
    """The rows of U beside the panel: solves with the panel's unit lower triangle."""
    w_ptr += tl.program_id(0).to(tl.int64) * m * n
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
def update_kernel(w_ptr, first, last, m, n, ROWS: tl.constexpr, COLS: tl.constexpr):
    """Subtracts the product of the panel and its rows from a tile of what remains."""
    w_ptr += tl.program_id(0).to(tl.int64) * m * n
    row = last + tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    col = last + tl.program_id(2) * COLS + tl.arange(0, COLS)
    at = w_ptr + row[:, None] * n + col[None, :]
    mask = (row < m)[:, None] & (col < n)[None, :]
    rest = tl.load(at, mask=mask, other=0.0)
    for j in range(first, last):
        left = tl.load(w_ptr + row * n + j, mask=row < m, other=0.0)
        right = tl.load(w_ptr + j * n + col, mask=col < n, other=0.0)
        rest -= left[:, None] * right[None, :]
    tl.store(at, rest, mask=mask)


@triton.jit
def lower_kernel(w_ptr, l_ptr, numel, m, n, k, BLOCK: tl.constexpr):
    index = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    row, col = index // k % m, index % k
    at = w_ptr + index // k * n + col
    below = tl.load(at, mask=(index < numel) & (row > col), other=0.0)
    tl.store(l_ptr + index, tl.where(row == col, 1.0, below), mask=index < numel)


@triton.jit
def upper_kernel(w_ptr, u_ptr, numel, m, n, k, BLOCK: tl.constexpr):
    index = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    row, col = index // n % k, index % n
    at = w_ptr + (index // (k * n) * m + row) * n + col
    above = tl.load(at, mask=(index < numel) & (row <= col), other=0.0)
    tl.store(u_ptr + index, above, mask=index < numel)


@triton.jit
def permutation_kernel(order_ptr, p_ptr, numel, m, BLOCK: tl.constexpr):
    """P has a one in row order[i] of column i."""
    index = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    row, col = index // m % m, index % m
    order = tl.load(order_ptr + index // (m * m) * m + col, mask=index < numel, other=-1)
    tl.store(p_ptr + index, tl.where(order == row, 1.0, 0.0), mask=index < numel)


def factorize(w, order, pivot):
    """The packed factors in place of w (batch, m, n)."""
    batch, m, n = w.shape
    k = min(m, n)
    for first in range(0, k, PANEL):
        last = min(first + PANEL, k)
        panel_kernel[(batch,)](w, order, first, last, m, n, PIVOT=pivot, PANEL=PANEL, ROWS=64, COLS=256)
        if last < n:
            tiles = triton.cdiv(n - last, 64)
            rows_kernel[(batch, tiles)](w, first, last, m, n, PANEL=PANEL, COLS=64)
            if last < m:
                update_kernel[(batch, triton.cdiv(m - last, 64), tiles)](w, first, last, m, n, ROWS=64, COLS=64)


def lu(A, pivot=True, out=None):
    *batch_shape, m, n = A.shape
    k = min(m, n)
    a = A.reshape(-1, m, n)
    w = torch.empty(a.shape, dtype=A.dtype, device=A.device)
    w.copy_(a)
    order = torch.empty((w.shape[0], m), dtype=torch.int32, device=A.device)
    p = torch.empty((*batch_shape, m, m) if pivot else (0,), dtype=A.dtype, device=A.device)
    lower = torch.empty((*batch_shape, m, k), dtype=A.dtype, device=A.device)
    upper = torch.empty((*batch_shape, k, n), dtype=A.dtype, device=A.device)
    if w.numel() > 0:
        factorize(w, order, pivot)
        lower_kernel[(triton.cdiv(lower.numel(), 1024),)](w, lower, lower.numel(), m, n, k, BLOCK=1024)
        upper_kernel[(triton.cdiv(upper.numel(), 1024),)](w, upper, upper.numel(), m, n, k, BLOCK=1024)
        if pivot:
            permutation_kernel[(triton.cdiv(p.numel(), 1024),)](order, p, p.numel(), m, BLOCK=1024)
    result = (p, lower, upper)
    return result if out is None else tuple(o.copy_(r) for o, r in zip(out, result))
