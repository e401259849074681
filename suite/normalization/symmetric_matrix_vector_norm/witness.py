"""Norm of a symmetric product in Triton that reads only the lower triangle of the matrix.

A tile below the diagonal serves twice: as it is for the rows it lies in, and mirrored for the columns. What it adds to
a block of the product goes to a slot of its own, one for each other block, so that nothing is added atomically and the
result is the same every time. A second kernel adds the slots up, scales them and takes partial sums of powers; a third
one takes the root.
"""
import math

import torch
import triton
import triton.language as tl

TILE = 128
SPAN = 1024  # elements of the product in one partial sum


@triton.jit
def product_kernel(a_ptr, x_ptr, slot_ptr, n, a_row, a_col, x_stride, TILE: tl.constexpr):
    """slot[k, i] = what block k of x adds to element i of A x."""
    block_i, block_j = tl.program_id(0), tl.program_id(1)
    if block_i >= block_j:
        i, j = block_i * TILE + tl.arange(0, TILE), block_j * TILE + tl.arange(0, TILE)
        at = a_ptr + i[:, None].to(tl.int64) * a_row + j[None, :].to(tl.int64) * a_col
        lower = (i < n)[:, None] & (j[None, :] <= i[:, None])
        a = tl.load(at, mask=lower, other=0.0)
        x_i = tl.load(x_ptr + i.to(tl.int64) * x_stride, mask=i < n, other=0.0)
        x_j = tl.load(x_ptr + j.to(tl.int64) * x_stride, mask=j < n, other=0.0)
        as_it_is = tl.sum(tl.where(lower, a * x_j[None, :], 0.0), axis=1)
        below = (i < n)[:, None] & (j[None, :] < i[:, None])
        mirrored = tl.sum(tl.where(below, a * x_i[:, None], 0.0), axis=0)
        if block_i == block_j:
            tl.store(slot_ptr + block_i.to(tl.int64) * n + i, as_it_is + mirrored, mask=i < n)
        else:
            tl.store(slot_ptr + block_j.to(tl.int64) * n + i, as_it_is, mask=i < n)
            tl.store(slot_ptr + block_i.to(tl.int64) * n + j, mirrored, mask=j < n)


@triton.jit
def largest(x):
    """The maximum of a block, which a NaN decides."""
    nans = tl.sum(tl.where(x == x, 0, 1), axis=0)
    return tl.where(nans > 0, float("nan"), tl.max(x, axis=0))


@triton.jit
def powers_kernel(slot_ptr, factors_ptr, partial_ptr, n, slots, P: tl.constexpr, SPAN: tl.constexpr):
    at = tl.program_id(0) * SPAN + tl.arange(0, SPAN)
    total = tl.zeros((SPAN,), slot_ptr.dtype.element_ty)
    for k in range(slots):
        total += tl.load(slot_ptr + k.to(tl.int64) * n + at, mask=at < n, other=0.0)
    alpha, beta, p = tl.load(factors_ptr), tl.load(factors_ptr + 1), tl.load(factors_ptr + 2)
    y = alpha * total
    size = tl.abs(y + beta * y)
    if P == "inf":
        tl.store(partial_ptr + tl.program_id(0), largest(size))
    elif P == "one":
        tl.store(partial_ptr + tl.program_id(0), tl.sum(size, axis=0))
    elif P == "two":
        tl.store(partial_ptr + tl.program_id(0), tl.sum(size * size, axis=0))
    else:
        power = tl.exp2(p * tl.log2(size))  # 0 for 0, since p is positive
        tl.store(partial_ptr + tl.program_id(0), tl.sum(power, axis=0))


@triton.jit
def root_kernel(partial_ptr, factors_ptr, out_ptr, parts, P: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    partial = tl.load(partial_ptr + at, mask=at < parts, other=0.0)
    if P == "inf":
        norm = largest(partial)
    else:
        norm = tl.sum(partial, axis=0)
    if P == "two":
        norm = tl.sqrt(norm)
    if P == "any":
        norm = tl.exp2(tl.log2(norm) / tl.load(factors_ptr + 2))
    tl.store(out_ptr, norm)


def symmetric_matrix_vector_norm(A, x, alpha, beta, p=2.0):
    n = A.shape[0]
    kind = "one" if p == 1 else "two" if p == 2 else "inf" if math.isinf(p) else "any"
    out = torch.zeros((), dtype=A.dtype, device=A.device)
    if n > 0:
        blocks, parts = triton.cdiv(n, TILE), triton.cdiv(n, SPAN)
        slot = torch.empty((blocks, n), dtype=A.dtype, device=A.device)
        factors = torch.empty((3,), dtype=A.dtype, device=A.device)  # a number passed to a kernel would be float32
        for k, value in enumerate((alpha, beta, p)):
            factors[k].fill_(value)
        partial = torch.empty((parts,), dtype=A.dtype, device=A.device)
        product_kernel[(blocks, blocks)](A, x, slot, n, *A.stride(), x.stride(0), TILE=TILE, num_warps=8)
        powers_kernel[(parts,)](slot, factors, partial, n, blocks, P=kind, SPAN=SPAN, num_warps=8)
        root_kernel[(1,)](partial, factors, out, parts, P=kind, BLOCK=triton.next_power_of_2(parts), num_warps=1)
    return out
