# task: matrix_vector_dot
# style: atomic_add into a zeroed scalar, after y was overwritten in place as the task says
import torch
import triton
import triton.language as tl


@triton.jit
def gemv_dot_kernel(a_ptr, x_ptr, y_ptr, dot_ptr, n, a0, a1, xs, ys, ALPHA: tl.constexpr, BETA: tl.constexpr, BM: tl.constexpr, BK: tl.constexpr):
    ty: tl.constexpr = y_ptr.dtype.element_ty
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    acc = tl.zeros((BM, BK), ty)
    for k in range(0, n, BK):
        ks = k + tl.arange(0, BK)
        a = tl.load(a_ptr + rows[:, None] * a0 + ks[None, :] * a1, mask=(rows[:, None] < n) & (ks[None, :] < n), other=0.0)
        acc += a * tl.load(x_ptr + ks * xs, mask=ks < n, other=0.0)[None, :]
    y = tl.load(y_ptr + rows * ys, mask=rows < n, other=0.0)
    x = tl.load(x_ptr + rows * xs, mask=rows < n, other=0.0)
    y = tl.full((BM,), ALPHA, ty) * tl.sum(acc, 1) + tl.full((BM,), BETA, ty) * y
    tl.store(y_ptr + rows * ys, y, mask=rows < n)
    tl.atomic_add(dot_ptr, tl.sum(tl.where(rows < n, x * y, 0.0)))


def matrix_vector_dot(A, x, y, alpha, beta):
    result = torch.zeros((), dtype=y.dtype, device=y.device)
    n = y.shape[0]
    if n > 0:
        gemv_dot_kernel[(triton.cdiv(n, 32),)](
            A, x, y, result, n, *A.stride(), *x.stride(), *y.stride(), ALPHA=float(alpha), BETA=float(beta), BM=32, BK=64)
    return result
