"""Matrix inverse in Triton: one program per matrix eliminates in [A | I] with partial pivoting, then substitutes back.

The program's threads exchange data through global memory; a barrier stands between writing and reading it.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def lu_solve_kernel(w_ptr, n, width, N_BLOCK: tl.constexpr, W_BLOCK: tl.constexpr, ROWS: tl.constexpr):
    """Solves in place: the columns from n on of w (n, width) become A^-1 times themselves."""
    w_ptr += tl.program_id(0).to(tl.int64) * n * width
    all_rows = tl.arange(0, N_BLOCK)
    cols = tl.arange(0, W_BLOCK)
    for j in range(n):
        column = tl.load(w_ptr + all_rows * width + j, mask=(all_rows >= j) & (all_rows < n), other=0.0)
        pivot = tl.argmax(tl.where((all_rows >= j) & (all_rows < n), tl.abs(column), -1.0), axis=0)
        top = tl.load(w_ptr + j * width + cols, mask=cols < width, other=0.0)
        best = tl.load(w_ptr + pivot * width + cols, mask=cols < width, other=0.0)
        tl.debug_barrier()  # everybody has read before anybody writes
        tl.store(w_ptr + pivot * width + cols, top, mask=cols < width)
        tl.debug_barrier()
        tl.store(w_ptr + j * width + cols, best, mask=cols < width)
        tl.debug_barrier()
        head = tl.sum(tl.where(cols == j, best, 0.0), axis=0)
        for start in range(j + 1, n, ROWS):
            rows = start + tl.arange(0, ROWS)
            mask = (rows < n)[:, None] & (cols < width)[None, :]
            block = tl.load(w_ptr + rows[:, None] * width + cols[None, :], mask=mask, other=0.0)
            factor = tl.sum(tl.where((cols == j)[None, :], block, 0.0), axis=1) / head
            block -= factor[:, None] * best[None, :]
            tl.store(w_ptr + rows[:, None] * width + cols[None, :], block, mask=mask & (cols > j)[None, :])
        tl.debug_barrier()
    right = (cols >= n) & (cols < width)
    for i in range(n):
        j = n - 1 - i
        solved = tl.load(w_ptr + j * width + cols, mask=right, other=0.0) / tl.load(w_ptr + j * width + j)
        tl.debug_barrier()  # a short row is held by every warp: all have read it before one writes it
        tl.store(w_ptr + j * width + cols, solved, mask=right)
        for start in range(0, j, ROWS):
            rows = start + tl.arange(0, ROWS)
            mask = (rows < j)[:, None] & right[None, :]
            factor = tl.load(w_ptr + rows * width + j, mask=rows < j, other=0.0)
            block = tl.load(w_ptr + rows[:, None] * width + cols[None, :], mask=mask, other=0.0)
            block -= factor[:, None] * solved[None, :]
            tl.store(w_ptr + rows[:, None] * width + cols[None, :], block, mask=mask)
        tl.debug_barrier()


def invert_matrix_lu(A, *, pivot=True, out=None):
    n = A.shape[-1]
    batch = A.numel() // (n * n) if n else 0
    w = torch.zeros((batch, n, 2 * n), dtype=A.dtype, device=A.device)
    w[..., :n].copy_(A.reshape(batch, n, n))
    w[..., n:].copy_(torch.eye(n, dtype=A.dtype, device=A.device))
    if w.numel() > 0:
        w_block = triton.next_power_of_2(2 * n)
        lu_solve_kernel[(batch,)](
            w, n, 2 * n, N_BLOCK=triton.next_power_of_2(n), W_BLOCK=w_block, ROWS=max(4096 // w_block, 1), num_warps=8
        )
    result = w[..., n:].reshape(A.shape)
    return result if out is None else out.copy_(result)
