# task: symmetric_matrix_vector_norm
# style: the exponent p chooses a branch at compile time: 1, 2, infinity or any other number
import math

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def vector_kernel(a_ptr, x_ptr, z_ptr, n, a0, a1, xs, FACTOR: tl.constexpr, BLOCK: tl.constexpr):
    ty: tl.constexpr = z_ptr.dtype.element_ty
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), ty)
    for s in range(0, n, BLOCK):
        k = s + tl.arange(0, BLOCK)
        acc += tl.load(a_ptr + row * a0 + k * a1, mask=k < n, other=0.0) * tl.load(x_ptr + k * xs, mask=k < n, other=0.0)
    tl.store(z_ptr + row, tl.abs(tl.sum(acc, 0) * tl.full((), FACTOR, ty)))


@triton.jit
def norm_kernel(z_ptr, y_ptr, n, P: tl.constexpr, INF: tl.constexpr, BLOCK: tl.constexpr):
    ty: tl.constexpr = y_ptr.dtype.element_ty
    top = tl.zeros((BLOCK,), ty)
    for s in range(0, n, BLOCK):
        k = s + tl.arange(0, BLOCK)
        z = tl.load(z_ptr + k, mask=k < n, other=0.0)
        top = tl.where((z > top) | (z != z), z, top)
    high = tl.max(top, 0)
    bad = tl.max((top != top).to(tl.int32), 0)
    if INF:
        y = high
    else:
        scale = tl.where((high > 0) & (high < float("inf")), high, 1.0)
        acc = tl.zeros((BLOCK,), ty)
        for s in range(0, n, BLOCK):
            k = s + tl.arange(0, BLOCK)
            q = tl.load(z_ptr + k, mask=k < n, other=0.0) / scale
            if P == 1:
                acc += q
            elif P == 2:
                acc += q * q
            else:
                acc += tl.where(q > 0, libdevice.pow(tl.where(q > 0, q, 1.0), tl.full((BLOCK,), P, ty)), 0.0)
        total = tl.sum(acc, 0)
        if P == 1:
            y = scale * total
        elif P == 2:
            y = scale * tl.sqrt(total)
        else:
            y = scale * libdevice.pow(total, tl.full((), 1.0 / P, ty))
    tl.store(y_ptr, tl.where(bad > 0, float("nan"), y).to(ty))


def symmetric_matrix_vector_norm(A, x, alpha, beta, p=2.0):
    n = x.shape[0]
    z = torch.empty((max(n, 1),), dtype=A.dtype, device=A.device)
    y = torch.empty((), dtype=A.dtype, device=A.device)
    if n > 0:
        vector_kernel[(n,)](A, x, z, n, *A.stride(), x.stride(0), FACTOR=float(alpha) * (1.0 + float(beta)), BLOCK=128)
    inf = math.isinf(p)
    norm_kernel[(1,)](z, y, n, P=2.0 if inf else float(p), INF=inf, BLOCK=128)
    return y
