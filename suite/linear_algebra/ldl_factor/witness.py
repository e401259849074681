"""LDL factorization in Triton with the pivoting of Bunch and Kaufman: a program owns one matrix.

A working copy keeps both triangles of what is not yet eliminated, so that a row is read where a column is meant. In a
step a diagonal element, or where all candidates are too small a block of two rows, becomes the pivot; its row and
column change places with the next ones, and a product of rank one or two is subtracted from the rest. Complex matrices
are kept as two planes. The program's threads exchange data through global memory; barriers stand between.
"""
import torch
import triton
import triton.language as tl

ALPHA = tl.constexpr(0.6403882032022076)  # (1 + sqrt 17) / 8 keeps the growth of both kinds of step equal
TILE = 8192


@triton.jit
def fetch(re_ptr, im_ptr, at, mask, COMPLEX: tl.constexpr):
    """Elements of a matrix kept as two planes; of a real one there is no second plane."""
    re = tl.load(re_ptr + at, mask=mask, other=0.0)
    im = tl.zeros_like(re)
    if COMPLEX:
        im = tl.load(im_ptr + at, mask=mask, other=0.0)
    return re, im


@triton.jit
def put(re_ptr, im_ptr, at, re, im, mask, COMPLEX: tl.constexpr):
    tl.store(re_ptr + at, re, mask=mask)
    if COMPLEX:
        tl.store(im_ptr + at, im, mask=mask)


@triton.jit
def times(a, ai, b, bi, COMPLEX: tl.constexpr):
    if COMPLEX:
        return a * b - ai * bi, a * bi + ai * b
    else:
        return a * b, ai


@triton.jit
def plus_times(w, wi, a, ai, b, bi, COMPLEX: tl.constexpr):
    if COMPLEX:
        return w + a * b - ai * bi, wi + a * bi + ai * b
    else:
        return w + a * b, wi


@triton.jit
def size_of(a, ai, COMPLEX: tl.constexpr):
    if COMPLEX:
        return tl.sqrt(a * a + ai * ai)
    else:
        return tl.abs(a)


@triton.jit
def inverse(a, ai, COMPLEX: tl.constexpr):
    """1 / a, and 0 for 0."""
    if COMPLEX:
        square = a * a + ai * ai
        safe = tl.where(square == 0, 1.0, square)
        return tl.where(square == 0, 0.0, a / safe), tl.where(square == 0, 0.0, -ai / safe)
    else:
        return tl.where(a == 0, 0.0, 1.0 / tl.where(a == 0, 1.0, a)), ai


@triton.jit
def exchange(re_ptr, im_ptr, first, second, mask, COMPLEX: tl.constexpr):
    """Swaps two rows or columns, given by the places of their elements."""
    a, ai = fetch(re_ptr, im_ptr, first, mask, COMPLEX)
    b, bi = fetch(re_ptr, im_ptr, second, mask, COMPLEX)
    tl.debug_barrier()  # everybody has read before anybody writes
    put(re_ptr, im_ptr, first, b, bi, mask, COMPLEX)
    put(re_ptr, im_ptr, second, a, ai, mask, COMPLEX)
    tl.debug_barrier()


@triton.jit
def copy_kernel(
    a_ptr, re_ptr, im_ptr, ld_ptr, n, stride_b, stride_r, stride_c, stride_part,
    COMPLEX: tl.constexpr, HERMITIAN: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr,
):
    """The working copy, and a first state of LD: A on and below the diagonal, 0 above."""
    batch = tl.program_id(0).to(tl.int64)
    rows, cols = tl.program_id(1) * ROWS + tl.arange(0, ROWS)[:, None], tl.arange(0, BLOCK)[None, :]
    mask = (rows < n) & (cols < n)
    at = batch * n * n + rows * n + cols
    from_ptr = a_ptr + batch * stride_b + rows.to(tl.int64) * stride_r + cols * stride_c
    re = tl.load(from_ptr, mask=mask, other=0.0)
    tl.store(re_ptr + at, re, mask=mask)
    if COMPLEX:
        im = tl.load(from_ptr + stride_part, mask=mask, other=0.0)
        if HERMITIAN:
            im = tl.where(rows == cols, 0.0, im)
        tl.store(im_ptr + at, im, mask=mask)
        tl.store(ld_ptr + 2 * at, tl.where(cols > rows, 0.0, re), mask=mask)
        tl.store(ld_ptr + 2 * at + 1, tl.where(cols > rows, 0.0, im), mask=mask)
    else:
        tl.store(ld_ptr + at, tl.where(cols > rows, 0.0, re), mask=mask)


@triton.jit
def put_factor(ld_ptr, at, re, im, mask, COMPLEX: tl.constexpr):
    if COMPLEX:
        tl.store(ld_ptr + 2 * at, re, mask=mask)
        tl.store(ld_ptr + 2 * at + 1, im, mask=mask)
    else:
        tl.store(ld_ptr + at, re, mask=mask)


@triton.jit
def choose_pivot(re_ptr, im_ptr, k, n, cols, COMPLEX: tl.constexpr):
    """Compares the diagonal with the rest of its row, and with the row of the largest element there.

    Returns which row is to be the (last) row of the pivot, and 1 if that is a block of two rows, otherwise 0.
    """
    a, ai = fetch(re_ptr, im_ptr, k * n + cols, (cols >= k) & (cols < n), COMPLEX)
    sizes = size_of(a, ai, COMPLEX)
    diagonal = tl.sum(tl.where(cols == k, sizes, 0.0), axis=0)
    others = tl.where((cols > k) & (cols < n), sizes, -1.0)
    largest = tl.maximum(tl.max(others, axis=0), 0.0)
    best = tl.where(k + 1 < n, tl.argmax(others, axis=0), k)
    a, ai = fetch(re_ptr, im_ptr, best * n + cols, (cols >= k) & (cols < n), COMPLEX)
    sizes = size_of(a, ai, COMPLEX)
    best_diagonal = tl.sum(tl.where(cols == best, sizes, 0.0), axis=0)
    best_largest = tl.max(tl.where(cols == best, 0.0, sizes), axis=0)
    stays = (diagonal >= ALPHA * largest) | (diagonal * best_largest >= ALPHA * largest * largest)
    two = (1 - stays.to(tl.int32)) * (best_diagonal < ALPHA * best_largest).to(tl.int32)
    return tl.where(stays, k, best), two


@triton.jit
def interchange(re_ptr, im_ptr, k, row, to, n, cols, COMPLEX: tl.constexpr):
    """Rows and columns `row` and `to` of what is not yet eliminated change places."""
    if to != row:
        exchange(re_ptr, im_ptr, row * n + cols, to * n + cols, (cols >= k) & (cols < n), COMPLEX)
        exchange(re_ptr, im_ptr, cols * n + row, cols * n + to, (cols >= k) & (cols < n), COMPLEX)


@triton.jit
def put_pivot(pivots_ptr, k, to, two):
    """The row taken, counted from 1; negative, and twice, for a block of two."""
    tl.store(pivots_ptr + k, tl.where(two > 0, -(to + 1), to + 1))
    tl.store(pivots_ptr + k + 1, -(to + 1), mask=two > 0)


@triton.jit
def read_block(re_ptr, im_ptr, k, n, two, COMPLEX: tl.constexpr):
    """The pivot [[d, u], [b, c]]; for a pivot of one element u = b = 0 and c = 1."""
    d, di = fetch(re_ptr, im_ptr, k * n + k, True, COMPLEX)
    u, ui = fetch(re_ptr, im_ptr, k * n + k + 1, two > 0, COMPLEX)
    b, bi = fetch(re_ptr, im_ptr, (k + 1) * n + k, two > 0, COMPLEX)
    c, ci = fetch(re_ptr, im_ptr, (k + 1) * n + k + 1, two > 0, COMPLEX)
    return d, di, u, ui, b, bi, tl.where(two > 0, c, 1.0), ci


@triton.jit
def inverse_of_block(d, di, u, ui, b, bi, c, ci, COMPLEX: tl.constexpr):
    """[[p, q], [r, s]] = [[d, u], [b, c]]^-1, and zeros where there is none."""
    det, deti = times(d, di, c, ci, COMPLEX)
    det, deti = plus_times(det, deti, -u, -ui, b, bi, COMPLEX)
    det, deti = inverse(det, deti, COMPLEX)
    p, pi = times(c, ci, det, deti, COMPLEX)
    q, qi = times(-u, -ui, det, deti, COMPLEX)
    r, ri = times(-b, -bi, det, deti, COMPLEX)
    s, si = times(d, di, det, deti, COMPLEX)
    return p, pi, q, qi, r, ri, s, si


@triton.jit
def multipliers(re_ptr, im_ptr, rows, k, n, two, p, pi, q, qi, r, ri, s, si, COMPLEX: tl.constexpr):
    """L of these rows: [v, m] = [f, g] D^-1 with their elements f, g in the block's columns."""
    f, fi = fetch(re_ptr, im_ptr, rows * n + k, rows < n, COMPLEX)
    g, gi = fetch(re_ptr, im_ptr, rows * n + k + 1, (rows < n) & (two > 0), COMPLEX)
    v, vi = times(f, fi, p, pi, COMPLEX)
    v, vi = plus_times(v, vi, g, gi, r, ri, COMPLEX)
    m, mi = times(f, fi, q, qi, COMPLEX)
    m, mi = plus_times(m, mi, g, gi, s, si, COMPLEX)
    return v, vi, tl.where(two > 0, m, 0.0), tl.where(two > 0, mi, 0.0)


@triton.jit
def subtract_products(re_ptr, im_ptr, at, mask, v, vi, a, ai, m, mi, e, ei, COMPLEX: tl.constexpr):
    """A tile less the products of the columns v, m with the rows a, e: a change of rank two, or one where m = 0."""
    w, wi = fetch(re_ptr, im_ptr, at, mask, COMPLEX)
    w, wi = plus_times(w, wi, -v[:, None], -vi[:, None], a[None, :], ai[None, :], COMPLEX)
    w, wi = plus_times(w, wi, -m[:, None], -mi[:, None], e[None, :], ei[None, :], COMPLEX)
    put(re_ptr, im_ptr, at, w, wi, mask, COMPLEX)


@triton.jit
def eliminate(
    re_ptr, im_ptr, ld_ptr, k, n, two, cols, p, pi, q, qi, r, ri, s, si, COMPLEX: tl.constexpr, ROWS: tl.constexpr
):
    """Below the pivot: stores its columns of L and subtracts L times the pivot's rows from the rest."""
    after = k + 1 + two
    rest = (cols >= after) & (cols < n)
    a, ai = fetch(re_ptr, im_ptr, k * n + cols, rest, COMPLEX)
    e, ei = fetch(re_ptr, im_ptr, (k + 1) * n + cols, rest & (two > 0), COMPLEX)
    for start in range(after, n, ROWS):
        rows = start + tl.arange(0, ROWS)
        v, vi, m, mi = multipliers(re_ptr, im_ptr, rows, k, n, two, p, pi, q, qi, r, ri, s, si, COMPLEX)
        put_factor(ld_ptr, rows * n + k, v, vi, rows < n, COMPLEX)
        put_factor(ld_ptr, rows * n + k + 1, m, mi, (rows < n) & (two > 0), COMPLEX)
        at = rows[:, None] * n + cols[None, :]
        mask = (rows < n)[:, None] & rest[None, :]
        subtract_products(re_ptr, im_ptr, at, mask, v, vi, a, ai, m, mi, e, ei, COMPLEX)
    tl.debug_barrier()


@triton.jit
def factor_kernel(
    re_ptr, im_ptr, ld_ptr, pivots_ptr, n, COMPLEX: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    batch = tl.program_id(0).to(tl.int64)
    re_ptr += batch * n * n
    im_ptr += batch * n * n
    ld_ptr += batch * n * n * (2 if COMPLEX else 1)
    pivots_ptr += batch * n
    cols = tl.arange(0, BLOCK)
    k = 0
    while k < n:
        to, two = choose_pivot(re_ptr, im_ptr, k, n, cols, COMPLEX)
        interchange(re_ptr, im_ptr, k, k + two, to, n, cols, COMPLEX)
        put_pivot(pivots_ptr, k, to, two)
        d, di, u, ui, b, bi, c, ci = read_block(re_ptr, im_ptr, k, n, two, COMPLEX)
        put_factor(ld_ptr, k * n + k, d, di, True, COMPLEX)
        put_factor(ld_ptr, (k + 1) * n + k, b, bi, two > 0, COMPLEX)
        put_factor(ld_ptr, (k + 1) * n + k + 1, c, ci, two > 0, COMPLEX)
        p, pi, q, qi, r, ri, s, si = inverse_of_block(d, di, u, ui, b, bi, c, ci, COMPLEX)
        eliminate(re_ptr, im_ptr, ld_ptr, k, n, two, cols, p, pi, q, qi, r, ri, s, si, COMPLEX, ROWS)
        k += 1 + two


def ldl_factor(A, hermitian=False, out=None):
    n = A.shape[-1]
    batch = A.numel() // max(n * n, 1)
    ld = torch.empty(A.shape, dtype=A.dtype, device=A.device)
    pivots = torch.empty(A.shape[:-1], dtype=torch.int32, device=A.device)
    if A.numel() > 0:
        a = A.reshape(batch, n, n)
        parts = torch.view_as_real(a) if A.is_complex() else a.unsqueeze(-1)
        target = torch.view_as_real(ld) if A.is_complex() else ld
        re = torch.empty((batch, n, n), dtype=parts.dtype, device=A.device)
        im = torch.empty_like(re) if A.is_complex() else re
        block = max(triton.next_power_of_2(n), 16)
        rows = min(max(TILE // block, 1), block)
        copy_kernel[(batch, triton.cdiv(n, rows))](
            parts, re, im, target, n, *parts.stride(),
            COMPLEX=A.is_complex(), HERMITIAN=hermitian, ROWS=rows, BLOCK=block, num_warps=4,
        )
        factor_kernel[(batch,)](
            re, im, target, pivots, n, COMPLEX=A.is_complex(), ROWS=rows, BLOCK=block,
            num_warps=min(max(rows * block // 256, 1), 8),
        )
    if out is not None:
        return out[0].copy_(ld), out[1].copy_(pivots)
    return ld, pivots
