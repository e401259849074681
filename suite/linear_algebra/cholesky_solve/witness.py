"""Two triangular solves in Triton.

A program owns a block of right-hand sides of one system and substitutes forward, a block of unknowns at a time. Its
threads exchange unknowns through global memory, with a barrier between writing and reading them. The backward
substitution is the forward one with all indices reversed, so the same kernel does it, with negative strides.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def substitute_kernel(
    t_ptr, b_ptr, x_ptr, n, k, t_first, t_batch, t_row, t_col, b_first, b_batch, b_row, b_col, x_first, x_row,
    ROWS: tl.constexpr, COLS: tl.constexpr,
):
    """X (n, k) with T X = B. Of T (n, n) the lower triangle is read; *_first is where a matrix' element (0, 0) lies."""
    batch = tl.program_id(0).to(tl.int64)
    t_ptr += batch * t_batch + t_first
    b_ptr += batch * b_batch + b_first
    x_ptr += batch * n * k + x_first
    col = tl.program_id(1) * COLS + tl.arange(0, COLS)
    for first in range(0, n, ROWS):
        row = first + tl.arange(0, ROWS)
        mask = (row < n)[:, None] & (col < k)[None, :]
        x = tl.load(b_ptr + row[:, None] * b_row + col[None, :] * b_col, mask=mask, other=0.0)
        for j in range(first):
            t = tl.load(t_ptr + row * t_row + j * t_col, mask=row < n, other=0.0)
            x -= t[:, None] * tl.load(x_ptr + j * x_row + col, mask=col < k, other=0.0)[None, :]
        for j in range(first, tl.minimum(first + ROWS, n)):
            pivot = tl.load(t_ptr + j * t_row + j * t_col)
            known = tl.sum(tl.where((row == j)[:, None], x, 0.0), axis=0) / pivot
            t = tl.load(t_ptr + row * t_row + j * t_col, mask=(row > j) & (row < n), other=0.0)
            x = tl.where((row == j)[:, None], known[None, :], x - t[:, None] * known[None, :])
        tl.store(x_ptr + row[:, None] * x_row + col[None, :], x, mask=mask)
        tl.debug_barrier()


def cholesky_solve(B, L, upper=False, out=None):
    n, k = B.shape[-2:]
    batch_shape = torch.broadcast_shapes(B.shape[:-2], L.shape[:-2])
    x = torch.empty((*batch_shape, n, k), dtype=B.dtype, device=B.device)
    if x.numel() > 0:
        batch = x.numel() // (n * k)
        b = B.expand(x.shape).reshape(batch, n, k)
        t = L.expand(*batch_shape, n, n).reshape(batch, n, n)
        if upper:
            t = t.transpose(1, 2)
        t_batch, t_row, t_col = t.stride()
        grid = (batch, triton.cdiv(k, 16))
        substitute_kernel[grid](
            t, b, x, n, k, 0, t_batch, t_row, t_col, 0, *b.stride(), 0, k, ROWS=32, COLS=16, num_warps=2
        )
        # With rows and columns reversed T^T is a lower triangle again; its first element is the last one of T.
        last_t, last_x = (n - 1) * (t_row + t_col), (n - 1) * k
        substitute_kernel[grid](
            t, x, x, n, k, last_t, t_batch, -t_col, -t_row, last_x, n * k, -k, 1, last_x, -k,
            ROWS=32, COLS=16, num_warps=2,
        )
    return x if out is None else out.copy_(x)
