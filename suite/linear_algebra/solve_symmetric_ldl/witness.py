"""Solution of symmetric systems in Triton with the pivoting of Bunch and Kaufman: a program owns one system.

It eliminates in [A | B], where both triangles of what is left of A are kept. In a step a diagonal element, or where all
candidates are too small a block of two rows, becomes the pivot: its row and column change places with the next ones,
and a product of rank one or two is subtracted from the rest. What remains above is D L^T and L^-1 B, from which the
unknowns follow from the last one back; then the exchanges are undone. Complex numbers are kept as two planes. The
program's threads exchange data through global memory; barriers stand between.
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


@triton.jit(do_not_specialize=["width"])
def copy_kernel(
    a_ptr, re_ptr, im_ptr, n, width, first, columns, stride_b, stride_r, stride_c, stride_part,
    COMPLEX: tl.constexpr, REAL_DIAGONAL: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr,
):
    """Copies a matrix of n rows to the columns from `first` on of the planes (n, width)."""
    batch = tl.program_id(0).to(tl.int64)
    rows, cols = tl.program_id(1) * ROWS + tl.arange(0, ROWS)[:, None], tl.arange(0, BLOCK)[None, :]
    mask = (rows < n) & (cols < columns)
    at = batch * n * width + rows * width + first + cols
    from_ptr = a_ptr + batch * stride_b + rows.to(tl.int64) * stride_r + cols * stride_c
    tl.store(re_ptr + at, tl.load(from_ptr, mask=mask, other=0.0), mask=mask)
    if COMPLEX:
        im = tl.load(from_ptr + stride_part, mask=mask, other=0.0)
        if REAL_DIAGONAL:
            im = tl.where(rows == cols, 0.0, im)
        tl.store(im_ptr + at, im, mask=mask)


@triton.jit
def choose_pivot(re_ptr, im_ptr, k, n, width, cols, COMPLEX: tl.constexpr):
    """Compares the diagonal with the rest of its row, and with the row of the largest element there.

    Returns which row is to be the (last) row of the pivot, and 1 if that is a block of two rows, otherwise 0.
    """
    a, ai = fetch(re_ptr, im_ptr, k * width + cols, (cols >= k) & (cols < n), COMPLEX)
    sizes = size_of(a, ai, COMPLEX)
    diagonal = tl.sum(tl.where(cols == k, sizes, 0.0), axis=0)
    others = tl.where((cols > k) & (cols < n), sizes, -1.0)
    largest = tl.maximum(tl.max(others, axis=0), 0.0)
    best = tl.where(k + 1 < n, tl.argmax(others, axis=0), k)
    a, ai = fetch(re_ptr, im_ptr, best * width + cols, (cols >= k) & (cols < n), COMPLEX)
    sizes = size_of(a, ai, COMPLEX)
    best_diagonal = tl.sum(tl.where(cols == best, sizes, 0.0), axis=0)
    best_largest = tl.max(tl.where(cols == best, 0.0, sizes), axis=0)
    stays = (diagonal >= ALPHA * largest) | (diagonal * best_largest >= ALPHA * largest * largest)
    two = (1 - stays.to(tl.int32)) * (best_diagonal < ALPHA * best_largest).to(tl.int32)
    return tl.where(stays, k, best), two


@triton.jit
def interchange(re_ptr, im_ptr, k, row, to, n, width, cols, COMPLEX: tl.constexpr):
    """Rows `row` and `to` of what is left of [A | B] change places, and these columns with all that stands above."""
    if to != row:
        exchange(re_ptr, im_ptr, row * width + cols, to * width + cols, (cols >= k) & (cols < width), COMPLEX)
        exchange(re_ptr, im_ptr, cols * width + row, cols * width + to, cols < n, COMPLEX)


@triton.jit
def put_pivot(pivots_ptr, k, to, two):
    """Where each row of the pivot went, counted from 1; negative for the second row of a block."""
    tl.store(pivots_ptr + k, tl.where(two > 0, k, to) + 1)
    tl.store(pivots_ptr + k + 1, -(to + 1), mask=two > 0)


@triton.jit
def read_block(re_ptr, im_ptr, k, width, two, COMPLEX: tl.constexpr):
    """The pivot [[d, u], [b, c]]; for a pivot of one element u = b = 0 and c = 1."""
    d, di = fetch(re_ptr, im_ptr, k * width + k, True, COMPLEX)
    u, ui = fetch(re_ptr, im_ptr, k * width + k + 1, two > 0, COMPLEX)
    b, bi = fetch(re_ptr, im_ptr, (k + 1) * width + k, two > 0, COMPLEX)
    c, ci = fetch(re_ptr, im_ptr, (k + 1) * width + k + 1, two > 0, COMPLEX)
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
def multipliers(re_ptr, im_ptr, rows, k, n, width, two, p, pi, q, qi, r, ri, s, si, COMPLEX: tl.constexpr):
    """L of these rows: [v, m] = [f, g] D^-1 with their elements f, g in the block's columns."""
    f, fi = fetch(re_ptr, im_ptr, rows * width + k, rows < n, COMPLEX)
    g, gi = fetch(re_ptr, im_ptr, rows * width + k + 1, (rows < n) & (two > 0), COMPLEX)
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
def eliminate(re_ptr, im_ptr, k, n, width, two, cols, COMPLEX: tl.constexpr, ROWS: tl.constexpr):
    """Subtracts L times the pivot's rows of [A | B] from the rows below."""
    d, di, u, ui, b, bi, c, ci = read_block(re_ptr, im_ptr, k, width, two, COMPLEX)
    p, pi, q, qi, r, ri, s, si = inverse_of_block(d, di, u, ui, b, bi, c, ci, COMPLEX)
    after = k + 1 + two
    rest = (cols >= after) & (cols < width)
    a, ai = fetch(re_ptr, im_ptr, k * width + cols, rest, COMPLEX)
    e, ei = fetch(re_ptr, im_ptr, (k + 1) * width + cols, rest & (two > 0), COMPLEX)
    for start in range(after, n, ROWS):
        rows = start + tl.arange(0, ROWS)
        v, vi, m, mi = multipliers(re_ptr, im_ptr, rows, k, n, width, two, p, pi, q, qi, r, ri, s, si, COMPLEX)
        at = rows[:, None] * width + cols[None, :]
        mask = (rows < n)[:, None] & rest[None, :]
        subtract_products(re_ptr, im_ptr, at, mask, v, vi, a, ai, m, mi, e, ei, COMPLEX)
    tl.debug_barrier()


@triton.jit
def solve_block(re_ptr, im_ptr, k, n, width, two, right, live, COMPLEX: tl.constexpr):
    """Puts the pivot's unknowns [upper, lower] = D^-1 [h, t] in the place of the right sides h, t, and returns them."""
    d, di, u, ui, b, bi, c, ci = read_block(re_ptr, im_ptr, k, width, two, COMPLEX)
    p, pi, q, qi, r, ri, s, si = inverse_of_block(d, di, u, ui, b, bi, c, ci, COMPLEX)
    h, hi = fetch(re_ptr, im_ptr, k * width + n + right, live, COMPLEX)
    t, ti = fetch(re_ptr, im_ptr, (k + 1) * width + n + right, live & (two > 0), COMPLEX)
    upper, upper_i = times(h, hi, p, pi, COMPLEX)
    upper, upper_i = plus_times(upper, upper_i, t, ti, q, qi, COMPLEX)
    lower, lower_i = times(h, hi, r, ri, COMPLEX)
    lower, lower_i = plus_times(lower, lower_i, t, ti, s, si, COMPLEX)
    tl.debug_barrier()  # everybody has read before anybody writes
    put(re_ptr, im_ptr, k * width + n + right, upper, upper_i, live, COMPLEX)
    put(re_ptr, im_ptr, (k + 1) * width + n + right, lower, lower_i, live & (two > 0), COMPLEX)
    return upper, upper_i, lower, lower_i


@triton.jit
def substitute(re_ptr, im_ptr, k, n, width, two, right, live, COMPLEX: tl.constexpr, ROWS: tl.constexpr):
    """The pivot's unknowns, and what they contribute to the rows above taken to the right sides of these."""
    upper, upper_i, lower, lower_i = solve_block(re_ptr, im_ptr, k, n, width, two, right, live, COMPLEX)
    for start in range(0, k, ROWS):
        rows = start + tl.arange(0, ROWS)
        f, fi = fetch(re_ptr, im_ptr, rows * width + k, rows < k, COMPLEX)
        g, gi = fetch(re_ptr, im_ptr, rows * width + k + 1, (rows < k) & (two > 0), COMPLEX)
        at = rows[:, None] * width + n + right[None, :]
        mask = (rows < k)[:, None] & live[None, :]
        subtract_products(re_ptr, im_ptr, at, mask, f, fi, upper, upper_i, g, gi, lower, lower_i, COMPLEX)
    tl.debug_barrier()


@triton.jit
def undo_interchanges(re_ptr, im_ptr, pivots_ptr, n, width, right, live, COMPLEX: tl.constexpr):
    """The unknowns back in the order of A's columns: the exchanges again, last ones first."""
    for i in range(n):
        row = n - 1 - i
        to = tl.abs(tl.load(pivots_ptr + row)) - 1
        if to != row:
            exchange(re_ptr, im_ptr, row * width + n + right, to * width + n + right, live, COMPLEX)


@triton.jit
def put_solution(re_ptr, im_ptr, x_ptr, n, width, columns, right, live, COMPLEX: tl.constexpr):
    for row in range(n):
        a, ai = fetch(re_ptr, im_ptr, row * width + n + right, live, COMPLEX)
        if COMPLEX:
            tl.store(x_ptr + 2 * (row * columns + right), a, mask=live)
            tl.store(x_ptr + 2 * (row * columns + right) + 1, ai, mask=live)
        else:
            tl.store(x_ptr + row * columns + right, a, mask=live)


@triton.jit(do_not_specialize=["width"])
def solve_kernel(
    re_ptr, im_ptr, x_ptr, pivots_ptr, n, width, columns,
    COMPLEX: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr, C_BLOCK: tl.constexpr,
):
    batch = tl.program_id(0).to(tl.int64)
    re_ptr += batch * n * width
    im_ptr += batch * n * width
    x_ptr += batch * n * columns * (2 if COMPLEX else 1)
    pivots_ptr += batch * n
    cols = tl.arange(0, BLOCK)
    k = 0
    while k < n:
        to, two = choose_pivot(re_ptr, im_ptr, k, n, width, cols, COMPLEX)
        interchange(re_ptr, im_ptr, k, k + two, to, n, width, cols, COMPLEX)
        put_pivot(pivots_ptr, k, to, two)
        eliminate(re_ptr, im_ptr, k, n, width, two, cols, COMPLEX, ROWS)
        k += 1 + two
    # The rows of [D L^T | L^-1 B], last ones first.
    right = tl.arange(0, C_BLOCK)
    live = right < columns
    k = n - 1
    while k >= 0:
        two = (tl.load(pivots_ptr + k) < 0).to(tl.int32)
        k -= two
        substitute(re_ptr, im_ptr, k, n, width, two, right, live, COMPLEX, ROWS)
        k -= 1
    undo_interchanges(re_ptr, im_ptr, pivots_ptr, n, width, right, live, COMPLEX)
    put_solution(re_ptr, im_ptr, x_ptr, n, width, columns, right, live, COMPLEX)


def solve_symmetric_ldl(A, b, hermitian=False, out=None):
    n = A.shape[-1]
    vector = b.shape == A.shape[:-1]
    columns = 1 if vector else b.shape[-1]
    batch = A.numel() // max(n * n, 1)
    result = torch.empty(b.shape, dtype=b.dtype, device=b.device)
    if b.numel() > 0:
        a, rhs = A.reshape(batch, n, n), b.reshape(batch, n, columns)
        a, rhs, target = (torch.view_as_real(x) if A.is_complex() else x.unsqueeze(-1) for x in (a, rhs, result))
        width = n + columns
        re = torch.empty((batch, n, width), dtype=a.dtype, device=A.device)
        im = torch.empty_like(re) if A.is_complex() else re
        pivots = torch.empty((batch, n), dtype=torch.int32, device=A.device)
        block, c_block = max(triton.next_power_of_2(width), 16), max(triton.next_power_of_2(columns), 2)
        rows = min(max(TILE // block, 1), 64)
        for x, first, diagonal in ((a, 0, hermitian), (rhs, n, False)):
            copy_kernel[(batch, triton.cdiv(n, rows))](
                x, re, im, n, width, first, x.shape[2], *x.stride(),
                COMPLEX=A.is_complex(), REAL_DIAGONAL=diagonal, ROWS=rows, BLOCK=block, num_warps=4,
            )
        solve_kernel[(batch,)](
            re, im, target, pivots, n, width, columns,
            COMPLEX=A.is_complex(), ROWS=rows, BLOCK=block, C_BLOCK=c_block,
            num_warps=min(max(rows * block // 256, 1), 8),
        )
    return result if out is None else out.copy_(result)
