"""Distances of normalised rows in Triton.

One kernel normalises the rows and writes them transposed, so that the same element of neighbouring rows is contiguous.
The other one owns a tile of pairs: it walks along the rows, one element of each at a time, and adds up the powers of
the differences in registers. The differences of all pairs are never stored.
"""
import math

import torch
import triton
import triton.language as tl


@triton.jit
def add_power(total, size, p, P: tl.constexpr):
    """Takes the absolute values `size` into the p-th powers that make up a norm."""
    if P == "one":
        total = total + size
    elif P == "two":
        total = total + size * size
    elif P == "inf":
        total = tl.maximum(total, size, propagate_nan=tl.PropagateNan.ALL)
    else:
        total = total + tl.exp2(p * tl.log2(size))  # 0 for 0, since p is positive
    return total


@triton.jit
def root(total, p, P: tl.constexpr):
    if P == "two":
        total = tl.sqrt(total)
    if P == "any":
        total = tl.exp2(tl.log2(total) / p)
    return total


@triton.jit
def normalize_kernel(
    x_ptr, y_ptr, p_ptr, eps: tl.constexpr, rows, columns, row_stride, col_stride,
    P: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr,
):
    """y (columns, rows) = the transpose of x with every row divided by its norm."""
    p = tl.load(p_ptr)
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    x_ptr += row.to(tl.int64)[:, None] * row_stride
    total = tl.zeros((ROWS, COLS), y_ptr.dtype.element_ty)
    for start in range(0, columns, COLS):
        col = start + tl.arange(0, COLS)
        mask = (row < rows)[:, None] & (col < columns)[None, :]
        size = tl.abs(tl.load(x_ptr + col[None, :] * col_stride, mask=mask, other=0.0))
        total = add_power(total, size, p, P)
    if P == "inf":
        norm = tl.max(total, axis=1)
        norm = tl.where(tl.sum(tl.where(total == total, 0, 1), axis=1) > 0, float("nan"), norm)
    else:
        norm = root(tl.sum(total, axis=1), p, P)
    norm = tl.where(norm < eps, tl.full((), eps, norm.dtype), norm)  # NaN stays
    for start in range(0, columns, COLS):
        col = start + tl.arange(0, COLS)
        mask = (row < rows)[:, None] & (col < columns)[None, :]
        x = tl.load(x_ptr + col[None, :] * col_stride, mask=mask, other=0.0)
        tl.store(y_ptr + col[None, :].to(tl.int64) * rows + row[:, None], x / norm[:, None], mask=mask)


@triton.jit
def distance_kernel(
    a_ptr, b_ptr, out_ptr, p_ptr, eps: tl.constexpr, n, m, columns, P: tl.constexpr,
    TILE_N: tl.constexpr, TILE_M: tl.constexpr,
):
    p = tl.load(p_ptr)
    i = tl.program_id(0) * TILE_N + tl.arange(0, TILE_N)
    j = tl.program_id(1) * TILE_M + tl.arange(0, TILE_M)
    total = tl.zeros((TILE_N, TILE_M), out_ptr.dtype.element_ty)
    for d in range(columns):
        a = tl.load(a_ptr + d.to(tl.int64) * n + i, mask=i < n, other=0.0)
        b = tl.load(b_ptr + d.to(tl.int64) * m + j, mask=j < m, other=0.0)
        total = add_power(total, tl.abs(a[:, None] - b[None, :]), p, P)
    distance = root(total, p, P)
    distance = tl.where(distance < eps, tl.full((), eps, distance.dtype), distance)
    at = out_ptr + i[:, None].to(tl.int64) * m + j[None, :]
    tl.store(at, distance, mask=(i < n)[:, None] & (j < m)[None, :])


def fused_pairwise_distance_normalize(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    (n, columns), m = x1.shape, x2.shape[0]
    kind = "one" if p_norm == 1 else "two" if p_norm == 2 else "inf" if math.isinf(p_norm) else "any"
    options = {"dtype": x1.dtype, "device": x1.device}
    out = torch.empty((n, m), **options)
    if out.numel() > 0:
        p = torch.full((1,), float(p_norm), **options)
        flipped = [torch.empty((columns, x.shape[0]), **options) for x in (x1, x2)]
        for x, y in zip((x1, x2), flipped):
            normalize_kernel[(triton.cdiv(x.shape[0], 16),)](
                x, y, p, float(eps_norm), x.shape[0], columns, *x.stride(), P=kind, ROWS=16, COLS=64
            )
        grid = (triton.cdiv(n, 64), triton.cdiv(m, 64))
        distance_kernel[grid](*flipped, out, p, float(eps_distance), n, m, columns, P=kind, TILE_N=64, TILE_M=64)
    return out.unsqueeze(-1) if keepdim else out
