# task: fused_add_mean
# style: the host launches recursively: each level folds rows by a factor, until one number a row is left
import math

import torch
import triton
import triton.language as tl


@triton.jit
def axpy_kernel(x_ptr, o_ptr, y_ptr, n, ALPHA: tl.constexpr, BLOCK: tl.constexpr):
    ty: tl.constexpr = y_ptr.dtype.element_ty
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ty)
    o = tl.load(o_ptr + i, mask=i < n, other=0.0).to(ty)
    tl.store(y_ptr + i, x + tl.full((BLOCK,), ALPHA, ty) * o, mask=i < n)


@triton.jit
def fold_kernel(x_ptr, y_ptr, n, m, divisor, BLOCK: tl.constexpr):
    row, part = tl.program_id(0) // m, tl.program_id(0) % m
    k = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row.to(tl.int64) * n + k, mask=k < n, other=0.0)
    tl.store(y_ptr + row * m + part, (tl.sum(x, 0) / divisor).to(y_ptr.dtype.element_ty))


def fold(x, rows, n, count, result):
    m = triton.cdiv(n, 256)
    if m == 1:
        fold_kernel[(rows,)](x, result, n, 1, count, BLOCK=256)
        return result
    y = torch.empty((rows, m), dtype=x.dtype, device=x.device)
    fold_kernel[(rows * m,)](x, y, n, m, 1, BLOCK=256)
    return fold(y, rows, m, count, result)


def fused_add_mean(input, other, dim=None, alpha=1, keepdim=False, dtype=None, out=None):
    dtype = dtype or (out.dtype if out is not None else input.dtype)
    wide = torch.float64 if torch.float64 in (input.dtype, dtype) else torch.float32
    if not isinstance(other, torch.Tensor):
        other = torch.empty((), dtype=wide, device=input.device).copy_(torch.zeros((), dtype=wide).new_zeros(()).view(()).contiguous()) if other == 0 else _number(other, wide, input.device)
    shape = torch.broadcast_shapes(input.shape, other.shape)
    rank = len(shape)
    dims = list(range(rank)) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    dims = sorted(d % rank for d in dims) if rank else []
    kept = [d for d in range(rank) if d not in dims]
    result_shape = [1 if d in dims else s for d, s in enumerate(shape) if keepdim or d not in dims]
    y = torch.empty(result_shape, dtype=dtype, device=input.device)
    n = math.prod(shape[d] for d in dims)
    if y.numel() > 0:
        x, o = (t.expand(shape).permute(kept + dims).contiguous() for t in (input, other))
        s = torch.empty((y.numel(), n), dtype=wide, device=input.device)
        if n > 0:
            axpy_kernel[(triton.cdiv(s.numel(), 512),)](x, o, s, s.numel(), ALPHA=float(alpha), BLOCK=512)
            fold(s, y.numel(), n, n, y)
        else:
            nan_kernel[(triton.cdiv(y.numel(), 512),)](y, y.numel(), BLOCK=512)
    return y if out is None else out.copy_(y)


@triton.jit
def nan_kernel(y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.full((BLOCK,), float("nan"), tl.float32).to(y_ptr.dtype.element_ty), mask=i < n)


@triton.jit
def number_kernel(y_ptr, VALUE: tl.constexpr):
    tl.store(y_ptr, tl.full((), VALUE, y_ptr.dtype.element_ty))


def _number(value, dtype, device):
    y = torch.empty((), dtype=dtype, device=device)
    number_kernel[(1,)](y, VALUE=float(value))
    return y
