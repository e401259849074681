"""Solution of linear systems in Triton: LU factorization of [A | B] with partial pivoting, then back substitution.

A panel of columns is eliminated by one program per matrix, which exchanges whole rows, those of B included. Then the
rows beside the panel and the rest of the matrix follow in parallel: what becomes of B is the forward substitution. The
threads of a program exchange data through global memory, with a barrier between writing and reading it.
"""
import torch
import triton
import triton.language as tl

PANEL = 32


@triton.jit(do_not_specialize=["first", "last"])
def panel_kernel(
    w_ptr, singular_ptr, first, last, n, width, PANEL: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr,
):
    """Eliminates the columns from first to last of w (n, width), whose factors up to there are done."""
    w_ptr += tl.program_id(0).to(tl.int64) * n * width
    panel = first + tl.arange(0, PANEL)
    for j in range(first, last):
        most = tl.full((ROWS,), -1.0, w_ptr.dtype.element_ty)
        place = j + tl.zeros((ROWS,), tl.int32)
        for start in range(j, n, ROWS):
            row = start + tl.arange(0, ROWS)
            size = tl.abs(tl.load(w_ptr + row * width + j, mask=row < n, other=0.0))
            larger = (row < n) & (size > most)
            place = tl.where(larger, row, place)
            most = tl.where(larger, size, most)
        pivot = tl.min(tl.where(most == tl.max(most, axis=0), place, n), axis=0)
        if pivot != j:
            for start in range(0, width, COLS):
                col = start + tl.arange(0, COLS)
                upper = tl.load(w_ptr + j * width + col, mask=col < width)
                lower = tl.load(w_ptr + pivot * width + col, mask=col < width)
                tl.debug_barrier()  # everybody has read before anybody writes
                tl.store(w_ptr + j * width + col, lower, mask=col < width)
                tl.store(w_ptr + pivot * width + col, upper, mask=col < width)
            tl.debug_barrier()
        head = tl.load(w_ptr + j * width + j)
        if head == 0.0:
            tl.atomic_max(singular_ptr, 1)
        divisor = tl.where(head == 0.0, 1.0, head)  # a pivot of zero has only zeros below it
        pivot_row = tl.load(w_ptr + j * width + panel, mask=(panel > j) & (panel < last), other=0.0)
        for start in range(j + 1, n, ROWS):
            row = start + tl.arange(0, ROWS)
            at = w_ptr + row[:, None] * width + panel[None, :]
            mask = (row < n)[:, None] & ((panel >= j) & (panel < last))[None, :]
            block = tl.load(at, mask=mask, other=0.0)
            factor = tl.sum(tl.where((panel == j)[None, :], block, 0.0), axis=1) / divisor
            block = tl.where((panel == j)[None, :], factor[:, None], block - factor[:, None] * pivot_row[None, :])
            tl.store(at, block, mask=mask)
        tl.debug_barrier()


@triton.jit(do_not_specialize=["first", "last"])
def rows_kernel(w_ptr, first, last, n, width, PANEL: tl.constexpr, COLS: tl.constexpr):
    """The rows beside the panel, of U and of B: solves with the panel's unit lower triangle."""
    w_ptr += tl.program_id(0).to(tl.int64) * n * width
    row = first + tl.arange(0, PANEL)
    col = last + tl.program_id(1) * COLS + tl.arange(0, COLS)
    at = w_ptr + row[:, None] * width + col[None, :]
    mask = (row < last)[:, None] & (col < width)[None, :]
    u = tl.load(at, mask=mask, other=0.0)
    for j in range(first, last):
        factor = tl.load(w_ptr + row * width + j, mask=(row > j) & (row < last), other=0.0)
        u -= factor[:, None] * tl.sum(tl.where((row == j)[:, None], u, 0.0), axis=0)[None, :]
    tl.store(at, u, mask=mask)


@triton.jit(do_not_specialize=["first", "last"])
def update_kernel(w_ptr, first, last, n, width, ROWS: tl.constexpr, COLS: tl.constexpr):
    """Subtracts the product of the panel and its rows from a tile of what remains."""
    w_ptr += tl.program_id(0).to(tl.int64) * n * width
    row = last + tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    col = last + tl.program_id(2) * COLS + tl.arange(0, COLS)
    at = w_ptr + row[:, None] * width + col[None, :]
    mask = (row < n)[:, None] & (col < width)[None, :]
    rest = tl.load(at, mask=mask, other=0.0)
    for j in range(first, last):
        left = tl.load(w_ptr + row * width + j, mask=row < n, other=0.0)
        right = tl.load(w_ptr + j * width + col, mask=col < width, other=0.0)
        rest -= left[:, None] * right[None, :]
    tl.store(at, rest, mask=mask)


@triton.jit
def back_kernel(w_ptr, n, width, ROWS: tl.constexpr, COLS: tl.constexpr):
    """Back substitution for a block of right-hand sides: blocks of unknowns from the last to the first."""
    w_ptr += tl.program_id(0).to(tl.int64) * n * width
    col = n + tl.program_id(1) * COLS + tl.arange(0, COLS)
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


def solve(A, B):
    n = A.shape[-1]
    if A.shape[-2] != n:
        raise RuntimeError(f"A must be square, but its shape is {tuple(A.shape)}")
    b = B.unsqueeze(-1) if B.dim() < A.dim() else B
    k = b.shape[-1]
    w = torch.empty((*b.shape[:-1], n + k), dtype=A.dtype, device=A.device)
    w[..., :n].copy_(A)
    w[..., n:].copy_(b)
    width = n + k
    batch = w.numel() // max(n * width, 1)
    singular = torch.zeros((1,), dtype=torch.int32, device=A.device)
    for first in range(0, n if batch > 0 else 0, PANEL):
        last = min(first + PANEL, n)
        panel_kernel[(batch,)](w, singular, first, last, n, width, PANEL=PANEL, ROWS=64, COLS=256)
        if last < width:
            tiles = triton.cdiv(width - last, 64)
            rows_kernel[(batch, tiles)](w, first, last, n, width, PANEL=PANEL, COLS=64)
        if last < n:
            update_kernel[(batch, triton.cdiv(n - last, 64), tiles)](w, first, last, n, width, ROWS=64, COLS=64)
    if singular.item():
        raise torch.linalg.LinAlgError("A is singular")
    if w.numel() > 0:
        back_kernel[(batch, triton.cdiv(k, 16))](w, n, width, ROWS=32, COLS=16)
    return w[..., n:].reshape(B.shape)
