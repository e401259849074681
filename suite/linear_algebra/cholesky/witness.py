"""Cholesky factorization in Triton, a panel of columns at a time, in place.

Three kernels per panel: one program per matrix factorizes the block on the diagonal in registers, the rows below it
are solved with that block, and the rest of the lower triangle is updated with their products. A last kernel writes the
factor and the zeros beside it.

A Hermitian matrix is factorized as a real one of twice the size, with a block [[re, -im], [im, re]] for each element.
Its factor has the same form with the elements of L, since their diagonal is real and positive: the lower triangle of a
block on the diagonal is all of it.
"""
import torch
import triton
import triton.language as tl

PANEL = 32


@triton.jit(do_not_specialize=["first"])
def diagonal_kernel(w_ptr, first, n, PANEL: tl.constexpr):
    """Factorizes the block of PANEL rows and columns that begins at `first`, in every matrix w (n, n)."""
    w_ptr += tl.program_id(0).to(tl.int64) * n * n
    i = tl.arange(0, PANEL)
    at = w_ptr + (first + i)[:, None] * n + first + i[None, :]
    mask = (first + i < n)[:, None] & (i[None, :] <= i[:, None])
    block = tl.load(at, mask=mask, other=0.0)
    for j in range(tl.minimum(PANEL, n - first)):
        column = tl.sum(tl.where((i == j)[None, :], block, 0.0), axis=1)
        pivot = tl.sqrt(tl.sum(tl.where(i == j, column, 0.0), axis=0))
        column = tl.where(i > j, column / pivot, tl.where(i == j, pivot, 0.0))
        rest = block - tl.where((i > j)[None, :], column[:, None] * column[None, :], 0.0)
        block = tl.where((i == j)[None, :], column[:, None], rest)
    tl.store(at, block, mask=mask)


@triton.jit(do_not_specialize=["first"])
def below_kernel(w_ptr, first, n, PANEL: tl.constexpr, ROWS: tl.constexpr):
    """The rows below that block: X with X L^T = A."""
    w_ptr += tl.program_id(0).to(tl.int64) * n * n
    row = first + PANEL + tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    i = tl.arange(0, PANEL)
    at = w_ptr + row[:, None] * n + first + i[None, :]
    mask = (row < n)[:, None]
    x = tl.load(at, mask=mask, other=0.0)
    for j in range(PANEL):
        pivot = tl.load(w_ptr + (first + j) * n + first + j)
        known = tl.sum(tl.where((i == j)[None, :], x, 0.0), axis=1) / pivot
        factor = tl.load(w_ptr + (first + i) * n + first + j, mask=i > j, other=0.0)
        x = tl.where((i == j)[None, :], known[:, None], x - known[:, None] * factor[None, :])
    tl.store(at, x, mask=mask)


@triton.jit(do_not_specialize=["first"])
def update_kernel(w_ptr, first, n, PANEL: tl.constexpr, TILE: tl.constexpr):
    """Subtracts the products of those rows from a tile of the lower triangle."""
    if tl.program_id(1) >= tl.program_id(2):
        w_ptr += tl.program_id(0).to(tl.int64) * n * n
        row = first + PANEL + tl.program_id(1) * TILE + tl.arange(0, TILE)
        col = first + PANEL + tl.program_id(2) * TILE + tl.arange(0, TILE)
        at = w_ptr + row[:, None] * n + col[None, :]
        mask = (row < n)[:, None] & (col < n)[None, :]
        rest = tl.load(at, mask=mask, other=0.0)
        for j in range(first, first + PANEL):
            left = tl.load(w_ptr + row * n + j, mask=row < n, other=0.0)
            right = tl.load(w_ptr + col * n + j, mask=col < n, other=0.0)
            rest -= left[:, None] * right[None, :]
        tl.store(at, rest, mask=mask)


@triton.jit
def triangle_kernel(w_ptr, out_ptr, numel, n, COMPLEX: tl.constexpr, UPPER: tl.constexpr, BLOCK: tl.constexpr):
    """Element (i, j) of L goes to (i, j), or its conjugate to (j, i); i < j gives zeros."""
    index = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    batch, i, j = index // (n * n), index // n % n, index % n
    if UPPER:
        i, j = j, i
    mask = index < numel
    if COMPLEX:
        at = w_ptr + (batch * 2 * n + 2 * i) * 2 * n + 2 * j
        re = tl.load(at, mask=mask & (i >= j), other=0.0)
        im = tl.load(at + 2 * n, mask=mask & (i > j), other=0.0)
        if UPPER:
            im = -im
        tl.store(out_ptr + 2 * index, re, mask=mask)
        tl.store(out_ptr + 2 * index + 1, im, mask=mask)
    else:
        value = tl.load(w_ptr + (batch * n + i) * n + j, mask=mask & (i >= j), other=0.0)
        tl.store(out_ptr + index, value, mask=mask)


def real_form(a):
    """The matrices (batch, 2n, 2n) for Hermitian ones (batch, n, n). There -im is the transpose of im."""
    batch, n, _ = a.shape
    parts = torch.view_as_real(a)
    re, im = parts[..., 0], parts[..., 1]
    w = torch.empty((batch, n, 2, n, 2), dtype=re.dtype, device=a.device)
    w[:, :, 0, :, 0].copy_(re)
    w[:, :, 1, :, 1].copy_(re)
    w[:, :, 1, :, 0].copy_(im)
    w[:, :, 0, :, 1].copy_(im.transpose(1, 2))
    return w.view(batch, 2 * n, 2 * n)


def factorize(w):
    """L in place of the lower triangle of w (batch, n, n)."""
    batch, n, _ = w.shape
    for first in range(0, n, PANEL):
        diagonal_kernel[(batch,)](w, first, n, PANEL=PANEL, num_warps=1)
        if first + PANEL < n:
            tiles = triton.cdiv(n - first - PANEL, 64)
            below_kernel[(batch, tiles)](w, first, n, PANEL=PANEL, ROWS=64)
            update_kernel[(batch, tiles, tiles)](w, first, n, PANEL=PANEL, TILE=64)


def cholesky(A, upper=False, out=None):
    n = A.shape[-1]
    a = A.reshape(-1, n, n) if A.numel() > 0 else A.reshape(0, n, n)
    result = torch.empty(A.shape, dtype=A.dtype, device=A.device)
    if A.is_complex():
        w = real_form(a)
    else:
        w = torch.empty(a.shape, dtype=A.dtype, device=A.device)
        w.copy_(a)
    if A.numel() > 0:
        factorize(w)
        flat = torch.view_as_real(result) if A.is_complex() else result
        triangle_kernel[(triton.cdiv(A.numel(), 1024),)](
            w, flat, A.numel(), n, COMPLEX=A.is_complex(), UPPER=bool(upper), BLOCK=1024
        )
    return result if out is None else out.copy_(result)
