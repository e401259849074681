# task: matrix_multiply_and_row_dot
# style: no tl.dot: products by broadcasting and tl.sum, of the two rows that matter
import torch
import triton
import triton.language as tl


@triton.jit
def row(a_ptr, b_ptr, c_ptr, cols, r, m, p, a0, a1, b0, b1, c0, c1, alpha, beta, ty: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    acc = tl.zeros((BK, BN), ty)
    for k in range(0, m, BK):
        ks = k + tl.arange(0, BK)
        a = tl.load(a_ptr + r * a0 + ks * a1, mask=ks < m, other=0.0)
        acc += a[:, None] * tl.load(b_ptr + ks[:, None] * b0 + cols[None, :] * b1, mask=(ks[:, None] < m) & (cols[None, :] < p), other=0.0)
    return alpha * tl.sum(acc, 0) + beta * tl.load(c_ptr + r * c0 + cols * c1, mask=cols < p, other=0.0)


@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, t_ptr, m, p, a0, a1, b0, b1, c0, c1, ALPHA: tl.constexpr, BETA: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    ty: tl.constexpr = a_ptr.dtype.element_ty
    cols = tl.program_id(0) * BN + tl.arange(0, BN)
    alpha, beta = tl.full((BN,), ALPHA, ty), tl.full((BN,), BETA, ty)
    first = row(a_ptr, b_ptr, c_ptr, cols, 0, m, p, a0, a1, b0, b1, c0, c1, alpha, beta, ty, BN, BK)
    second = row(a_ptr, b_ptr, c_ptr, cols, 1, m, p, a0, a1, b0, b1, c0, c1, alpha, beta, ty, BN, BK)
    tl.store(t_ptr + tl.program_id(0), tl.sum(tl.where(cols < p, first * second, 0.0)))


@triton.jit
def finish(t_ptr, y_ptr, parts, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), y_ptr.dtype.element_ty)
    for s in range(0, parts, BLOCK):
        acc += tl.load(t_ptr + s + tl.arange(0, BLOCK), mask=s + tl.arange(0, BLOCK) < parts, other=0.0)
    tl.store(y_ptr, tl.sum(acc))


def matrix_multiply_and_row_dot(A, B, alpha, beta, C):
    m, p = B.shape
    parts = triton.cdiv(p, 64)
    scratch = torch.empty(max(parts, 1), dtype=A.dtype, device=A.device)
    y = torch.empty((), dtype=A.dtype, device=A.device)
    if parts:
        kernel[(parts,)](A, B, C, scratch, m, p, *A.stride(), *B.stride(), *C.stride(), ALPHA=float(alpha), BETA=float(beta), BN=64, BK=32)
    finish[(1,)](scratch, y, parts, BLOCK=64)
    return y
