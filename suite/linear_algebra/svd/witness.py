"""Singular value decomposition in Triton: one-sided Jacobi, then Householder reflections.

The smaller side of A counts its n vectors of m elements; they are the rows of W. Rotations of pairs of rows make them
orthogonal (W = V A or V A^T); sorted, their lengths are the singular values. Dividing rows by their lengths would give
the other factor, but not where a length is 0 or noise. A QR factorization of the sorted rows does: its Q is orthonormal
whatever the rank, its R is diagonal up to rounding, and Q has as many columns as are asked for.
"""
import torch
import triton
import triton.language as tl

SWEEPS = 30  # an upper bound: sweeps end when no pair was rotated, after 5 to 9
TILE = 4096


@triton.jit(do_not_specialize=["m", "n"])
def jacobi_kernel(
    w_ptr, v_ptr, m, n, tiny, negligible,
    SWEEPS: tl.constexpr, PAIRS: tl.constexpr, M_BLOCK: tl.constexpr, N_BLOCK: tl.constexpr,
):
    """One matrix a program. In a round every row belongs to one pair, as in a tournament; all pairs turn at once."""
    w_ptr += tl.program_id(0).to(tl.int64) * n * m
    v_ptr += tl.program_id(0).to(tl.int64) * n * n
    at_m, at_n = tl.arange(0, M_BLOCK)[None, :], tl.arange(0, N_BLOCK)[None, :]
    even = n + n % 2
    rounds = even - 1
    rotated = 1
    for _ in range(SWEEPS):
        todo = tl.where(rotated > 0, rounds, 0)
        rotated = 0
        for r in range(todo):
            for first in range(0, even // 2, PAIRS):
                # Row `rounds` sits still, the others walk in a circle; an odd n leaves one of them out.
                i = first + tl.arange(0, PAIRS)
                one, two = tl.where(i == 0, rounds, (r + i) % rounds), (r - i + rounds) % rounds
                p, q = tl.minimum(one, two), tl.maximum(one, two)
                pair = (i < even // 2) & (q < n)
                mask = pair[:, None] & (at_m < m)
                a = tl.load(w_ptr + p[:, None] * m + at_m, mask=mask, other=0.0)
                b = tl.load(w_ptr + q[:, None] * m + at_m, mask=mask, other=0.0)
                aa, bb, ab = tl.sum(a * a, axis=1), tl.sum(b * b, axis=1), tl.sum(a * b, axis=1)
                turns = pair & (tl.abs(ab) > tiny * tl.sqrt(aa) * tl.sqrt(bb))
                turns = turns & (tl.minimum(aa, bb) > negligible * tl.maximum(aa, bb))
                zeta = (bb - aa) / tl.where(turns, 2.0 * ab, 1.0)
                t = tl.where(zeta >= 0, 1.0, -1.0) / (tl.abs(zeta) + tl.sqrt(1.0 + zeta * zeta))
                c = 1.0 / tl.sqrt(1.0 + t * t)
                s = (c * t)[:, None]
                tau = s / (1.0 + c)[:, None]  # c a - s b = a - s (b + tau a): small turns cause small rounding errors
                v_mask = turns[:, None] & (at_n < n)
                x = tl.load(v_ptr + p[:, None] * n + at_n, mask=v_mask, other=0.0)
                y = tl.load(v_ptr + q[:, None] * n + at_n, mask=v_mask, other=0.0)
                mask = mask & turns[:, None]
                tl.debug_barrier()  # everybody has read before anybody writes
                tl.store(w_ptr + p[:, None] * m + at_m, a - s * (b + tau * a), mask=mask)
                tl.store(w_ptr + q[:, None] * m + at_m, b + s * (a - tau * b), mask=mask)
                tl.store(v_ptr + p[:, None] * n + at_n, x - s * (y + tau * x), mask=v_mask)
                tl.store(v_ptr + q[:, None] * n + at_n, y + s * (x - tau * y), mask=v_mask)
                rotated = tl.maximum(rotated, tl.max(turns.to(tl.int32), axis=0))
            tl.debug_barrier()


@triton.jit(do_not_specialize=["m", "n", "small_row", "small_col"])
def sort_kernel(
    w_ptr, v_ptr, h_ptr, s_ptr, small_ptr, m, n, small_row, small_col,
    M_BLOCK: tl.constexpr, N_BLOCK: tl.constexpr,
):
    """Rows of w in descending order of length go to h, their lengths to s, the rows of v to the smaller factor."""
    batch = tl.program_id(0).to(tl.int64)
    at_m, at_n = tl.arange(0, M_BLOCK), tl.arange(0, N_BLOCK)
    lengths = tl.full((N_BLOCK,), -1.0, w_ptr.dtype.element_ty)
    for i in range(n):
        row = tl.load(w_ptr + (batch * n + i) * m + at_m, mask=at_m < m, other=0.0)
        lengths = tl.where(at_n == i, tl.sqrt(tl.sum(row * row, axis=0)), lengths)
    for i in range(n):
        length = tl.sum(tl.where(at_n == i, lengths, 0.0), axis=0)
        longer = (lengths > length) | ((lengths == length) & (at_n < i))
        rank = tl.sum(longer.to(tl.int32), axis=0)
        row = tl.load(w_ptr + (batch * n + i) * m + at_m, mask=at_m < m, other=0.0)
        tl.store(h_ptr + (batch * n + rank) * m + at_m, row, mask=at_m < m)
        tl.store(s_ptr + batch * n + rank, length)
        row = tl.load(v_ptr + (batch * n + i) * n + at_n, mask=at_n < n, other=0.0)
        tl.store(small_ptr + batch * n * n + rank * small_row + at_n * small_col, row, mask=at_n < n)


@triton.jit(do_not_specialize=["m", "n"])
def reflectors_kernel(
    h_ptr, s_ptr, tau_ptr, sign_ptr, m, n, negligible, M_BLOCK: tl.constexpr, ROWS: tl.constexpr
):
    """H_j = I - tau_j v_j v_j^T for the rows of h, in place; sign_j is the sign of R[j, j]."""
    batch = tl.program_id(0).to(tl.int64)
    h_ptr += batch * n * m
    at = tl.arange(0, M_BLOCK)
    largest = tl.load(s_ptr + batch * n)
    for j in range(n):
        row = tl.load(h_ptr + j * m + at, mask=at < m, other=0.0)
        head = tl.sum(tl.where(at == j, row, 0.0), axis=0)
        tail = tl.where(at > j, row, 0.0)
        tail_square = tl.sum(tail * tail, axis=0)
        norm = tl.sqrt(head * head + tail_square)
        diagonal = tl.where(head > 0, -norm, norm)  # away from head: head - diagonal does not cancel
        length = tail_square + (head - diagonal) * (head - diagonal)
        reflects = tail_square > negligible * largest * largest
        v = tl.where(reflects, tl.where(at == j, head - diagonal, tail), 0.0)
        tau = tl.where(reflects, 2.0 / tl.where(reflects, length, 1.0), 0.0)
        tl.store(tau_ptr + batch * n + j, tau)
        tl.store(sign_ptr + batch * n + j, tl.where(tl.where(reflects, diagonal, head) < 0, -1.0, 1.0))
        tl.debug_barrier()  # everybody has read before anybody writes
        tl.store(h_ptr + j * m + at, v, mask=at < m)
        for start in range(j + 1, n, ROWS):
            k = start + tl.arange(0, ROWS)
            mask = (k < n)[:, None] & (at < m)[None, :]
            x = tl.load(h_ptr + k[:, None] * m + at[None, :], mask=mask, other=0.0)
            x -= tau * tl.sum(x * v[None, :], axis=1)[:, None] * v[None, :]
            tl.store(h_ptr + k[:, None] * m + at[None, :], x, mask=mask)
        tl.debug_barrier()


@triton.jit(do_not_specialize=["m", "n", "columns", "large_row", "large_col"])
def large_factor_kernel(
    h_ptr, tau_ptr, sign_ptr, large_ptr, m, n, columns, large_row, large_col,
    M_BLOCK: tl.constexpr, COLUMNS: tl.constexpr,
):
    """Some columns of Q = H_0 H_1 ... H_(n-1) I, each with the sign that makes R's diagonal positive."""
    batch = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, M_BLOCK)
    column = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    x = tl.where(column[:, None] == at[None, :], 1.0, 0.0).to(h_ptr.dtype.element_ty)
    for i in range(n):
        j = n - 1 - i
        v = tl.load(h_ptr + (batch * n + j) * m + at, mask=at < m, other=0.0)
        x -= tl.load(tau_ptr + batch * n + j) * tl.sum(x * v[None, :], axis=1)[:, None] * v[None, :]
    sign = tl.load(sign_ptr + batch * n + column, mask=column < n, other=1.0)
    mask = (column < columns)[:, None] & (at < m)[None, :]
    places = large_ptr + batch * m * columns + at[None, :] * large_row + column[:, None] * large_col
    tl.store(places, sign[:, None] * x, mask=mask)


def svd(A, full_matrices=True):
    *batch_shape, rows, cols = A.shape
    m, n = max(rows, cols), min(rows, cols)
    batch = A.numel() // max(rows * cols, 1)
    columns = m if full_matrices else n
    wide = rows < cols
    u = torch.empty((*batch_shape, rows, n if wide else columns), dtype=A.dtype, device=A.device)
    s = torch.empty((*batch_shape, n), dtype=A.dtype, device=A.device)
    vh = torch.empty((*batch_shape, columns if wide else n, cols), dtype=A.dtype, device=A.device)
    if A.numel() == 0:
        return u, s, vh
    a = A.reshape(batch, rows, cols)
    w = (a if wide else a.transpose(1, 2)).clone(memory_format=torch.contiguous_format)
    v = torch.empty((batch, n, n), dtype=A.dtype, device=A.device)
    v.copy_(torch.eye(n, dtype=A.dtype, device=A.device))
    h, tau, sign = torch.empty_like(w), torch.empty_like(s), torch.empty_like(s)
    eps = torch.finfo(A.dtype).eps
    negligible = max(eps**4, 1e-37)  # of a squared length, against the longest
    m_block, n_block = max(triton.next_power_of_2(m), 32), max(triton.next_power_of_2(n), 32)
    some = min(max(TILE // m_block, 1), n_block // 2)
    warps = min(max(some * m_block // 256, 1), 8)
    jacobi_kernel[(batch,)](
        w, v, m, n, eps * max(4.0, m**0.5), negligible,
        SWEEPS=SWEEPS, PAIRS=some, M_BLOCK=m_block, N_BLOCK=n_block, num_warps=warps,
    )
    small, small_strides = (u, (1, n)) if wide else (vh, (n, 1))
    sort_kernel[(batch,)](w, v, h, s, small, m, n, *small_strides, M_BLOCK=m_block, N_BLOCK=n_block, num_warps=1)
    reflectors_kernel[(batch,)](h, s, tau, sign, m, n, negligible, M_BLOCK=m_block, ROWS=some, num_warps=warps)
    large, large_strides = (vh, (1, m)) if wide else (u, (columns, 1))
    large_factor_kernel[(batch, triton.cdiv(columns, some))](
        h, tau, sign, large, m, n, columns, *large_strides, M_BLOCK=m_block, COLUMNS=some, num_warps=warps
    )
    return u, s, vh
