"""Inverse FFT shift in Triton: along a shifted dimension of size n, result[i] = input[(i + n // 2) mod n].

Neighbouring dimensions that stay as they are count as one. Four dimensions are dealt with in one pass over the result;
where there are more, each shifted one gets a pass of its own.
"""
import math

import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def moved(i, size, half):
    """Index i moved by half a size, round the end."""
    return tl.where(i + half < size, i + half, i + half - size)


@triton.jit(do_not_specialize=["size0", "size1", "size2", "size3", "half0", "half1", "half2", "half3"])
def shift_kernel(x_ptr, y_ptr, n, size0, size1, size2, size3, half0, half1, half2, half3,
                 RANK: tl.constexpr, INDEX: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(INDEX) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    source = moved(offsets % size3, size3, half3)
    if RANK > 1:
        source += moved(offsets // size3 % size2, size2, half2) * size3
    if RANK > 2:
        source += moved(offsets // size3 // size2 % size1, size1, half1) * size3 * size2
    if RANK > 3:
        source += moved(offsets // size3 // size2 // size1, size0, half0) * size3 * size2 * size1
    tl.store(y_ptr + offsets, tl.load(x_ptr + source, mask=mask), mask=mask)


def shift(x, dims):
    """x, contiguous, with these dimensions shifted."""
    parts = []
    for d, size in enumerate(x.shape):
        if parts and d not in dims and parts[-1][1] == 0:
            parts[-1][0] *= size  # continues the dimension before
        elif size > 1:
            parts.append([size, size // 2 if d in dims else 0])
    if len(parts) > 4:
        for d in dims:
            x = shift(x.view(math.prod(x.shape[:d]), x.shape[d], -1), [1]).view(x.shape)
        return x
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        sizes, halves = zip(*[[1, 0]] * (4 - len(parts)), *parts)
        shift_kernel[(triton.cdiv(n, BLOCK),)](
            x, y, n, *sizes, *halves,
            RANK=max(len(parts), 1), INDEX=tl.int32 if n < 2**30 else tl.int64, BLOCK=BLOCK, num_warps=4,
        )
    return y


def ifftshift(input, dim=None):
    dims = range(input.dim()) if dim is None else [dim] if isinstance(dim, int) else dim
    dims = [d % input.dim() for d in dims]
    x = input.contiguous()
    if x.is_complex():  # pairs of real numbers, which stay together
        return torch.view_as_complex(shift(torch.view_as_real(x), dims))
    return shift(x, dims)
