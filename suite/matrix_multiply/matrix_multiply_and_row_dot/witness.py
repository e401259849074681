"""Witness of matrix_multiply_and_row_dot: two rows of the product are all that is needed.

B is read once. A program multiplies both rows of A with a strip of columns and a share of the rows of B; a second
kernel of one program adds up the shares, scales, adds C and takes the dot product.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def two_rows_kernel(
    a_ptr, b_ptr, share_ptr, m, p, rows_each, stride_am, stride_ak, stride_bk, stride_bn,
    BLOCK_K: tl.constexpr, BLOCK_N: tl.constexpr,
):
    cols = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    first = tl.program_id(1) * rows_each
    acc0 = tl.zeros((BLOCK_K, BLOCK_N), a_ptr.dtype.element_ty)
    acc1 = tl.zeros((BLOCK_K, BLOCK_N), a_ptr.dtype.element_ty)
    for start in range(first, min(first + rows_each, m), BLOCK_K):
        ks = start + tl.arange(0, BLOCK_K)
        valid = ks < m
        a0 = tl.load(a_ptr + ks * stride_ak, mask=valid, other=0.0)
        a1 = tl.load(a_ptr + stride_am + ks * stride_ak, mask=valid, other=0.0)
        b_ptrs = b_ptr + ks[:, None].to(tl.int64) * stride_bk + cols[None, :].to(tl.int64) * stride_bn
        b = tl.load(b_ptrs, mask=valid[:, None] & (cols[None, :] < p), other=0.0)
        acc0 += a0[:, None] * b
        acc1 += a1[:, None] * b
    share = share_ptr + tl.program_id(1) * 2 * p + cols
    tl.store(share, tl.sum(acc0, axis=0), mask=cols < p)
    tl.store(share + p, tl.sum(acc1, axis=0), mask=cols < p)


@triton.jit
def row_dot_kernel(share_ptr, c_ptr, out_ptr, p, shares, alpha: tl.constexpr, beta: tl.constexpr, stride_cm, stride_cn,
                   BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), c_ptr.dtype.element_ty)
    for start in range(0, p, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        valid = cols < p
        x0 = tl.zeros((BLOCK,), c_ptr.dtype.element_ty)
        x1 = tl.zeros((BLOCK,), c_ptr.dtype.element_ty)
        for k in range(0, shares):
            x0 += tl.load(share_ptr + 2 * k * p + cols, mask=valid, other=0.0)
            x1 += tl.load(share_ptr + (2 * k + 1) * p + cols, mask=valid, other=0.0)
        x0 = alpha * x0 + beta * tl.load(c_ptr + cols * stride_cn, mask=valid, other=0.0)
        x1 = alpha * x1 + beta * tl.load(c_ptr + stride_cm + cols * stride_cn, mask=valid, other=0.0)
        total += x0 * x1
    tl.store(out_ptr, tl.sum(total, axis=0))


def matrix_multiply_and_row_dot(A, B, alpha, beta, C):
    m, p = B.shape
    # Neighbouring threads should read neighbouring elements of B, along rows or (B transposed) along columns.
    block_k, block_n = (16, 128) if B.stride(1) <= B.stride(0) else (128, 16)
    strips = triton.cdiv(p, block_n)
    shares = max(min(1024 // strips, triton.cdiv(m, 256), 32), 1)
    rows_each = triton.cdiv(triton.cdiv(m, shares), block_k) * block_k
    partial = torch.empty((shares, 2, p), dtype=A.dtype, device=A.device)
    out = torch.empty((), dtype=A.dtype, device=A.device)
    two_rows_kernel[(strips, shares)](
        A, B, partial, m, p, rows_each, *A.stride(), *B.stride(), BLOCK_K=block_k, BLOCK_N=block_n, num_warps=4
    )
    row_dot_kernel[(1,)](
        partial, C, out, p, shares, float(alpha), float(beta), *C.stride(), BLOCK=1024, num_warps=8
    )
    return out
