"""Pseudo-inverse in Triton by one-sided Jacobi.

The smaller side of A counts its n vectors of m elements; they are the rows of W. Rotations of pairs of rows make them
orthogonal: W = V A^T or V A with an orthogonal V. Their lengths s_i are the singular values, so the pseudo-inverse is
the sum of v_i w_i^T / s_i^2 (or its transpose) over the rows that are long enough.
"""
import torch
import triton
import triton.language as tl

SWEEPS = 30  # an upper bound: sweeps end when no pair was rotated, after 5 to 9
TILE = 4096


@triton.jit(do_not_specialize=["m", "n"])
def jacobi_kernel(
    w_ptr, v_ptr, squares_ptr, m, n, tiny, negligible,
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
    for p in range(n):
        a = tl.load(w_ptr + p * m + at_m, mask=at_m < m, other=0.0)
        tl.store(squares_ptr + tl.program_id(0) * n + p, tl.sum(tl.sum(a * a, axis=1), axis=0))


@triton.jit(do_not_specialize=["m", "n", "row", "col"])
def sum_kernel(
    w_ptr, v_ptr, squares_ptr, cut_ptr, out_ptr, m, n, row, col, M_TILE: tl.constexpr, N_BLOCK: tl.constexpr
):
    """Element (r, c) of the sum of w_i v_i^T / s_i^2 goes to r * row + c * col of the matrix's result."""
    batch = tl.program_id(0).to(tl.int64)
    at_m, at_n = tl.program_id(1) * M_TILE + tl.arange(0, M_TILE), tl.arange(0, N_BLOCK)
    cut = tl.load(cut_ptr)
    largest = tl.max(tl.load(squares_ptr + batch * n + at_n, mask=at_n < n, other=0.0), axis=0)
    shortest = cut * tl.sqrt(largest)
    total = tl.zeros((M_TILE, N_BLOCK), out_ptr.dtype.element_ty)
    for i in range(n):
        square = tl.load(squares_ptr + batch * n + i)
        counts = tl.sqrt(square) > shortest
        factor = tl.where(counts, 1.0 / tl.where(counts, square, 1.0), 0.0)
        w = tl.load(w_ptr + (batch * n + i) * m + at_m, mask=at_m < m, other=0.0)
        v = tl.load(v_ptr + (batch * n + i) * n + at_n, mask=at_n < n, other=0.0)
        total += (factor * w)[:, None] * v[None, :]
    mask = (at_m < m)[:, None] & (at_n < n)[None, :]
    tl.store(out_ptr + batch * m * n + at_m[:, None] * row + at_n[None, :] * col, total, mask=mask)


def pseudoinverse_svd(A, full_matrices=True, rcond=1e-15, out=None):
    *batch_shape, rows, cols = A.shape
    m, n = max(rows, cols), min(rows, cols)
    batch = A.numel() // max(rows * cols, 1)
    wide = rows < cols
    result = torch.empty((*batch_shape, cols, rows), dtype=A.dtype, device=A.device)
    if A.numel() > 0:
        a = A.reshape(batch, rows, cols)
        w = (a if wide else a.transpose(1, 2)).clone(memory_format=torch.contiguous_format)
        v = torch.empty((batch, n, n), dtype=A.dtype, device=A.device)
        v.copy_(torch.eye(n, dtype=A.dtype, device=A.device))
        squares = torch.empty((batch, n), dtype=A.dtype, device=A.device)
        eps = torch.finfo(A.dtype).eps
        cut = torch.full((1,), max(rcond, m * eps), dtype=A.dtype, device=A.device)
        m_block, n_block = max(triton.next_power_of_2(m), 32), max(triton.next_power_of_2(n), 32)
        pairs = min(max(TILE // m_block, 1), n_block // 2)
        jacobi_kernel[(batch,)](
            w, v, squares, m, n, eps * max(4.0, m**0.5), max(eps**4, 1e-37),
            SWEEPS=SWEEPS, PAIRS=pairs, M_BLOCK=m_block, N_BLOCK=n_block,
            num_warps=min(max(pairs * m_block // 256, 1), 8),
        )
        strides = (n, 1) if wide else (1, m)
        m_tile = max(min(m_block, TILE // n_block), 1)
        sum_kernel[(batch, triton.cdiv(m, m_tile))](
            w, v, squares, cut, result, m, n, *strides, M_TILE=m_tile, N_BLOCK=n_block, num_warps=4
        )
    return result if out is None else out.copy_(result)
