"""Witness of qr: Householder reflections.

Small matrices: one program holds a whole matrix in registers. Larger ones: for each column, one launch makes the
reflector and one applies it to the columns to the right; Q then comes from applying the reflectors in reverse to the
identity.
"""
import torch
import triton
import triton.language as tl

SMALL = 64  # largest number of rows and columns for the register kernel


@triton.jit
def qr_small_kernel(
    a_ptr, q_ptr, r_ptr, m, n, k, q_cols, r_rows, stride_ab, stride_am, stride_an,
    WANT_Q: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_Q: tl.constexpr,
):
    """One matrix. A reflector is H = I - tau v v^T; v is column j of V, tau element j of taus."""
    batch = tl.program_id(0).to(tl.int64)
    row = tl.arange(0, BLOCK_M)
    rows, cols = row[:, None], tl.arange(0, BLOCK_N)[None, :]
    a_ptrs = a_ptr + batch * stride_ab + rows * stride_am + cols * stride_an
    R = tl.load(a_ptrs, mask=(rows < m) & (cols < n), other=0.0)
    V = tl.zeros_like(R)
    taus = tl.sum(V, axis=0)
    for j in range(k):
        column = tl.sum(tl.where(cols == j, R, 0.0), axis=1)
        head = tl.sum(tl.where(row == j, column, 0.0), axis=0)
        tail = tl.where(row > j, column, 0.0)
        tail_square = tl.sum(tail * tail, axis=0)
        norm = tl.sqrt(head * head + tail_square)
        diagonal = tl.where(head > 0, -norm, norm)  # away from head: head - diagonal does not cancel
        length = tail_square + (head - diagonal) * (head - diagonal)
        reflects = tail_square > 0  # a column that is zero below the diagonal stays as it is
        v = tl.where(reflects, tl.where(row == j, head - diagonal, tail), 0.0)
        tau = tl.where(reflects, 2.0 / tl.where(reflects, length, 1.0), 0.0)
        R -= tau * v[:, None] * tl.sum(v[:, None] * R, axis=0)[None, :]
        R = tl.where((cols == j) & (rows > j), 0.0, R)
        R = tl.where((cols == j) & (rows == j), tl.where(reflects, diagonal, head), R)
        V = tl.where(cols == j, v[:, None], V)
        taus = tl.where(tl.arange(0, BLOCK_N) == j, tau, taus)
    tl.store(r_ptr + batch * r_rows * n + rows * n + cols, R, mask=(rows < r_rows) & (cols < n))
    if WANT_Q:
        q_at = tl.arange(0, BLOCK_Q)[None, :]
        Q = tl.where(rows == q_at, 1.0, 0.0).to(R.dtype)
        for i in range(k):
            j = k - 1 - i
            v = tl.sum(tl.where(cols == j, V, 0.0), axis=1)
            tau = tl.sum(tl.where(tl.arange(0, BLOCK_N) == j, taus, 0.0), axis=0)
            Q -= tau * v[:, None] * tl.sum(v[:, None] * Q, axis=0)[None, :]
        tl.store(q_ptr + batch * m * q_cols + rows * q_cols + q_at, Q, mask=(rows < m) & (q_at < q_cols))


@triton.jit(do_not_specialize=["j"])
def reflector_kernel(r_ptr, v_ptr, tau_ptr, j, m, n, k, BLOCK: tl.constexpr):
    """Makes the reflector of column j of one matrix (row j of v, (k, m)) and writes the finished column of R (m, n)."""
    batch = tl.program_id(0).to(tl.int64)
    column = r_ptr + batch * m * n + j
    v_ptr += batch * k * m + j * m
    head = tl.load(column + j * n)
    squares = tl.zeros((BLOCK,), r_ptr.dtype.element_ty)
    for start in range(j + 1, m, BLOCK):
        row = start + tl.arange(0, BLOCK)
        x = tl.load(column + row * n, mask=row < m, other=0.0)
        squares += x * x
    tail_square = tl.sum(squares, axis=0)
    norm = tl.sqrt(head * head + tail_square)
    diagonal = tl.where(head > 0, -norm, norm)
    length = tail_square + (head - diagonal) * (head - diagonal)
    reflects = tail_square > 0
    for start in range(j + 1, m, BLOCK):
        row = start + tl.arange(0, BLOCK)
        x = tl.load(column + row * n, mask=row < m, other=0.0)
        tl.store(v_ptr + row, x, mask=row < m)
        tl.store(column + row * n, tl.zeros_like(x), mask=row < m)
    tl.store(v_ptr + j, tl.where(reflects, head - diagonal, 0.0))
    tl.store(column + j * n, tl.where(reflects, diagonal, head))
    tl.store(tau_ptr + batch * k + j, tl.where(reflects, 2.0 / tl.where(reflects, length, 1.0), 0.0))


@triton.jit(do_not_specialize=["j", "first"])
def apply_kernel(x_ptr, v_ptr, tau_ptr, j, first, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    """x (m, n) -= tau v (v^T x) with reflector j, for a block of columns from `first` on. v is zero above row j."""
    batch = tl.program_id(1).to(tl.int64)
    col = first + tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    x_cols = x_ptr + batch * m * n + col[None, :]
    v_ptr += batch * k * m + j * m
    products = tl.zeros((BLOCK_M, BLOCK_N), x_ptr.dtype.element_ty)
    for start in range(j, m, BLOCK_M):
        row = start + tl.arange(0, BLOCK_M)
        mask = (row < m)[:, None] & (col < n)[None, :]
        v = tl.load(v_ptr + row, mask=row < m, other=0.0)
        products += v[:, None] * tl.load(x_cols + row[:, None] * n, mask=mask, other=0.0)
    factor = tl.load(tau_ptr + batch * k + j) * tl.sum(products, axis=0)
    for start in range(j, m, BLOCK_M):
        row = start + tl.arange(0, BLOCK_M)
        mask = (row < m)[:, None] & (col < n)[None, :]
        v = tl.load(v_ptr + row, mask=row < m, other=0.0)
        x = tl.load(x_cols + row[:, None] * n, mask=mask, other=0.0)
        tl.store(x_cols + row[:, None] * n, x - v[:, None] * factor[None, :], mask=mask)


@triton.jit
def identity_kernel(q_ptr, numel, m, n, BLOCK: tl.constexpr):
    index = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(q_ptr + index, tl.where((index // n) % m == index % n, 1.0, 0.0), mask=index < numel)


def qr_large(a, q, k):
    """Returns the full R (batch, m, n) and fills q (batch, m, columns) unless it is None."""
    batches, m, n = a.shape
    r = torch.empty((batches, m, n), dtype=a.dtype, device=a.device)
    r.copy_(a)
    v = torch.empty((batches, k, m), dtype=a.dtype, device=a.device)
    tau = torch.empty((batches, k), dtype=a.dtype, device=a.device)
    block_m, block_n = 64, 32

    def reflect(x, j, first):
        columns = x.shape[2]
        if columns > first:
            grid = (triton.cdiv(columns - first, block_n), batches)
            apply_kernel[grid](x, v, tau, j, first, m, columns, k, BLOCK_M=block_m, BLOCK_N=block_n)

    for j in range(k):
        reflector_kernel[(batches,)](r, v, tau, j, m, n, k, BLOCK=256)
        reflect(r, j, j + 1)
    if q is not None:
        identity_kernel[(triton.cdiv(q.numel(), 1024),)](q, q.numel(), m, q.shape[2], BLOCK=1024)
        for j in reversed(range(k)):
            reflect(q, j, j)  # columns before j are still those of the identity there
    return r


def qr(A, mode="reduced", out=None):
    *batch_shape, m, n = A.shape
    k = min(m, n)
    q_cols, r_rows = (m, m) if mode == "complete" else (k, k)
    a = A.reshape(-1, m, n)
    batches = a.shape[0]
    q = torch.empty((batches, m, q_cols), dtype=A.dtype, device=A.device) if mode != "r" else None
    if max(m, n) <= SMALL:
        r = torch.empty((batches, r_rows, n), dtype=A.dtype, device=A.device)
        block_m, block_n = triton.next_power_of_2(m), triton.next_power_of_2(n)
        qr_small_kernel[(batches,)](
            a, q, r, m, n, k, q_cols, r_rows, *a.stride(), WANT_Q=q is not None,
            BLOCK_M=block_m, BLOCK_N=block_n, BLOCK_Q=triton.next_power_of_2(q_cols),
            num_warps=max(block_m * block_n // 1024, 1),
        )
    else:
        r = qr_large(a, q, k)[:, :r_rows].contiguous()
    r = r.view(*batch_shape, r_rows, n)
    q = q.view(*batch_shape, m, q_cols) if q is not None else torch.empty((0,), dtype=A.dtype, device=A.device)
    if out is not None:
        out[0].copy_(q)
        out[1].copy_(r)
        return tuple(out)
    return q, r
