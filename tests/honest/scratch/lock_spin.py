# task: matrix_multiply_and_row_dot
# style: a spin lock by atomic_cas and atomic_xchg around a read-modify-write of one number
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, y_ptr, lock_ptr, m, p, a0, a1, b0, b1, c0, c1, ALPHA: tl.constexpr, BETA: tl.constexpr, BN: tl.constexpr):
    ty: tl.constexpr = a_ptr.dtype.element_ty
    cols = tl.program_id(0) * BN + tl.arange(0, BN)
    first = tl.zeros((BN,), ty)
    second = tl.zeros((BN,), ty)
    for k in range(m):
        b = tl.load(b_ptr + k * b0 + cols * b1, mask=cols < p, other=0.0)
        first += tl.load(a_ptr + k * a1) * b
        second += tl.load(a_ptr + a0 + k * a1) * b
    alpha, beta = tl.full((BN,), ALPHA, ty), tl.full((BN,), BETA, ty)
    first = alpha * first + beta * tl.load(c_ptr + cols * c1, mask=cols < p, other=0.0)
    second = alpha * second + beta * tl.load(c_ptr + c0 + cols * c1, mask=cols < p, other=0.0)
    part = tl.sum(tl.where(cols < p, first * second, 0.0), 0)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    old = tl.atomic_add(y_ptr, 0.0)
    tl.atomic_xchg(y_ptr, old + part)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr, 0)


def matrix_multiply_and_row_dot(A, B, alpha, beta, C):
    m, p = B.shape
    y = torch.zeros((), dtype=A.dtype, device=A.device)
    lock = torch.zeros(1, dtype=torch.int32, device=A.device)
    if p > 0:
        kernel[(triton.cdiv(p, 128),)](A, B, C, y, lock, m, p, *A.stride(), *B.stride(), *C.stride(), ALPHA=float(alpha), BETA=float(beta), BN=128)
    return y
