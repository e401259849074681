"""Best approximation of rank k in Triton by one-sided Jacobi: a program owns one matrix.

Rotations of pairs of columns make the columns of W = A V orthogonal; then their lengths are the singular values, and
A = W V^T = sum over columns of w_i v_i^T. Keeping the k longest columns gives the approximation. W and V are kept
transposed, so that a column is contiguous; the program's threads exchange them through global memory.
"""
import torch
import triton
import triton.language as tl

SWEEPS = 30  # an upper bound: sweeps end when no pair was rotated, after 5 to 8


@triton.jit
def jacobi_kernel(
    w_ptr, v_ptr, lengths_ptr, m, n, tiny, SWEEPS: tl.constexpr, M_BLOCK: tl.constexpr, N_BLOCK: tl.constexpr
):
    w_ptr += tl.program_id(0).to(tl.int64) * n * m
    v_ptr += tl.program_id(0).to(tl.int64) * n * n
    rows, cols = tl.arange(0, M_BLOCK), tl.arange(0, N_BLOCK)
    rotated = 1
    for _ in range(SWEEPS):
        pairs = tl.where(rotated > 0, n - 1, 0)
        rotated = 0
        for p in range(pairs):
            for q in range(p + 1, n):
                a = tl.load(w_ptr + p * m + rows, mask=rows < m, other=0.0)
                b = tl.load(w_ptr + q * m + rows, mask=rows < m, other=0.0)
                aa, bb, ab = tl.sum(a * a, axis=0), tl.sum(b * b, axis=0), tl.sum(a * b, axis=0)
                if tl.abs(ab) > tiny * tl.sqrt(aa) * tl.sqrt(bb):
                    rotated = 1
                    zeta = (bb - aa) / (2.0 * ab)
                    t = tl.where(zeta >= 0, 1.0, -1.0) / (tl.abs(zeta) + tl.sqrt(1.0 + zeta * zeta))
                    c = 1.0 / tl.sqrt(1.0 + t * t)
                    s = c * t
                    x = tl.load(v_ptr + p * n + cols, mask=cols < n, other=0.0)
                    y = tl.load(v_ptr + q * n + cols, mask=cols < n, other=0.0)
                    tl.debug_barrier()  # everybody has read before anybody writes
                    tl.store(w_ptr + p * m + rows, c * a - s * b, mask=rows < m)
                    tl.store(w_ptr + q * m + rows, s * a + c * b, mask=rows < m)
                    tl.store(v_ptr + p * n + cols, c * x - s * y, mask=cols < n)
                    tl.store(v_ptr + q * n + cols, s * x + c * y, mask=cols < n)
                    tl.debug_barrier()
    for p in range(n):
        a = tl.load(w_ptr + p * m + rows, mask=rows < m, other=0.0)
        tl.store(lengths_ptr + tl.program_id(0) * n + p, tl.sqrt(tl.sum(a * a, axis=0)))


@triton.jit
def sum_kernel(w_ptr, v_ptr, lengths_ptr, out_ptr, m, n, k, M_TILE: tl.constexpr, N_BLOCK: tl.constexpr):
    """The sum of w_i v_i^T over the k longest columns, for a tile of rows; of equal columns the first ones count."""
    batch = tl.program_id(0).to(tl.int64)
    rows = tl.program_id(1) * M_TILE + tl.arange(0, M_TILE)
    cols = tl.arange(0, N_BLOCK)
    lengths = tl.load(lengths_ptr + batch * n + cols, mask=cols < n, other=-1.0)
    total = tl.zeros((M_TILE, N_BLOCK), out_ptr.dtype.element_ty)
    for i in range(n):
        length = tl.load(lengths_ptr + batch * n + i)
        longer = (lengths > length) | ((lengths == length) & (cols < i))
        w = tl.load(w_ptr + (batch * n + i) * m + rows, mask=rows < m, other=0.0)
        v = tl.load(v_ptr + (batch * n + i) * n + cols, mask=cols < n, other=0.0)
        total += tl.where(tl.sum(longer.to(tl.int32), axis=0) < k, w[:, None] * v[None, :], 0.0)
    mask = (rows < m)[:, None] & (cols < n)[None, :]
    tl.store(out_ptr + (batch * m + rows[:, None]) * n + cols[None, :], total, mask=mask)


def low_rank_svd_approximation(A, k, *, full_matrices=True, out=None):
    m, n = A.shape[-2:]
    batch = A.numel() // max(m * n, 1)
    w = A.reshape(batch, m, n).transpose(1, 2).clone(memory_format=torch.contiguous_format)
    v = torch.empty((batch, n, n), dtype=A.dtype, device=A.device)
    v.copy_(torch.eye(n, dtype=A.dtype, device=A.device))
    lengths = torch.empty((batch, n), dtype=A.dtype, device=A.device)
    result = torch.empty(A.shape, dtype=A.dtype, device=A.device)
    if A.numel() > 0:
        m_block, n_block = triton.next_power_of_2(m), triton.next_power_of_2(n)
        tiny = 4e-15 if A.dtype == torch.float64 else 4e-7
        jacobi_kernel[(batch,)](
            w, v, lengths, m, n, tiny, SWEEPS=SWEEPS, M_BLOCK=m_block, N_BLOCK=n_block,
            num_warps=max(min(m_block // 64, 4), 1),
        )
        m_tile = min(m_block, 32)
        sum_kernel[(batch, triton.cdiv(m, m_tile))](w, v, lengths, result, m, n, k, M_TILE=m_tile, N_BLOCK=n_block)
    return result if out is None else out.copy_(result)
