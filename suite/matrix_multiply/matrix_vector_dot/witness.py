"""Witness of matrix_vector_dot: a program updates a block of y and sums its share of y . x; a second adds up."""
import torch
import triton
import triton.language as tl


@triton.jit
def update_kernel(
    a_ptr, x_ptr, y_ptr, share_ptr, n, alpha, beta, stride_am, stride_an, stride_x, stride_y,
    BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_R + tl.arange(0, BLOCK_R)
    valid = rows < n
    a_rows = a_ptr + rows[:, None].to(tl.int64) * stride_am
    acc = tl.zeros((BLOCK_R, BLOCK_C), a_ptr.dtype.element_ty)
    for start in range(0, n, BLOCK_C):
        cols = start + tl.arange(0, BLOCK_C)
        mask = valid[:, None] & (cols < n)[None, :]
        a = tl.load(a_rows + cols[None, :].to(tl.int64) * stride_an, mask=mask, other=0.0)
        acc += a * tl.load(x_ptr + cols * stride_x, mask=cols < n, other=0.0)[None, :]
    y = tl.load(y_ptr + rows * stride_y, mask=valid, other=0.0)
    y = alpha * tl.sum(acc, axis=1) + beta * y
    tl.store(y_ptr + rows * stride_y, y, mask=valid)
    x = tl.load(x_ptr + rows * stride_x, mask=valid, other=0.0)
    tl.store(share_ptr + tl.program_id(0), tl.sum(tl.where(valid, x * y, 0.0), axis=0))


@triton.jit
def sum_kernel(share_ptr, out_ptr, count, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), share_ptr.dtype.element_ty)
    for start in range(0, count, BLOCK):
        at = start + tl.arange(0, BLOCK)
        acc += tl.load(share_ptr + at, mask=at < count, other=0.0)
    tl.store(out_ptr, tl.sum(acc, axis=0))


def matrix_vector_dot(A, x, y, alpha, beta):
    n = x.shape[0]
    # Neighbouring threads should read neighbouring elements of A, along rows or (A transposed) along columns.
    block_r, block_c = (8, 256) if A.stride(1) <= A.stride(0) else (64, 32)
    programs = triton.cdiv(n, block_r)
    share = torch.empty((programs,), dtype=A.dtype, device=A.device)
    out = torch.empty((), dtype=A.dtype, device=A.device)
    update_kernel[(programs,)](
        A, x, y, share, n, alpha, beta, *A.stride(), x.stride(0), y.stride(0), BLOCK_R=block_r, BLOCK_C=block_c,
    )
    sum_kernel[(1,)](share, out, programs, BLOCK=1024)
    return out
