"""exp of a tiled tensor in Triton: every element is read once, exponentiated once and written once for each copy.

The input is walked as four dimensions, with its own strides for reading and those of the result for writing. The copies
of a dimension of size d and result stride s stand d * s apart.
"""
import math

import torch
import triton
import triton.language as tl

BLOCK = 1024
PROGRAMS = 1024  # enough to fill a GPU


@triton.jit
def place(offsets, size1, size2, size3, s0, s1, s2, s3):
    """Where the elements of these flat indices lie in a tensor of strides s0 to s3."""
    i3 = offsets % size3
    i2 = offsets // size3 % size2
    i1 = offsets // size3 // size2 % size1
    i0 = offsets // size3 // size2 // size1
    return i0.to(tl.int64) * s0 + i1.to(tl.int64) * s1 + i2.to(tl.int64) * s2 + i3.to(tl.int64) * s3


@triton.jit(do_not_specialize=[
    "size1", "size2", "size3", "x0", "x1", "x2", "x3", "y0", "y1", "y2", "y3", "copies1", "copies2", "copies3",
    "far0", "far1", "far2", "far3", "copies", "copies_each"])
def tile_exp_kernel(x_ptr, y_ptr, n, size1, size2, size3, x0, x1, x2, x3, y0, y1, y2, y3, copies1, copies2, copies3,
                    far0, far1, far2, far3, copies, copies_each,
                    ACC: tl.constexpr, INDEX: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(INDEX) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + place(offsets, size1, size2, size3, x0, x1, x2, x3), mask=mask, other=0.0).to(ACC)
    power = tl.exp(x)
    y_ptrs = y_ptr + place(offsets, size1, size2, size3, y0, y1, y2, y3)
    first = tl.program_id(1) * copies_each
    for copy in range(first, tl.minimum(first + copies_each, copies)):
        far = place(tl.full((1,), copy, tl.int64), copies1, copies2, copies3, far0, far1, far2, far3)
        tl.store(y_ptrs + far, power, mask=mask)


def walk(x, repeats):
    """Columns of four dimensions: sizes, strides of x, strides of the result, copies, distances of the copies."""
    stride, dims = 1, []  # from the last dimension to the first
    for size, x_stride, copies in zip(reversed(x.shape), reversed(x.stride()), reversed(repeats)):
        last = dims[-1] if dims else None
        if last and last[3] == 1 and x_stride == last[0] * last[1] and stride == last[0] * last[2]:
            dims[-1] = [last[0] * size, last[1], last[2], copies, size * stride]  # continues the dimension before
        elif size > 1 or copies > 1:
            dims.append([size, x_stride, stride, copies, size * stride])
        stride *= size * copies
    dims += [[1, 0, 0, 1, 0]] * (4 - len(dims))
    return None if len(dims) > 4 else [list(reversed(column)) for column in zip(*dims)]


def fused_tile_exp(input, dims, *, out=None):
    rank = max(input.dim(), len(dims))
    repeats = [1] * (rank - len(dims)) + list(dims)
    x = input.reshape([1] * (rank - input.dim()) + list(input.shape))
    shape = [size * copies for size, copies in zip(x.shape, repeats)]
    y = out if out is not None and out.is_contiguous() else torch.empty(shape, dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        columns = walk(x, repeats)
        if columns is None:  # five dimensions and more, nearly all of them repeated: tile by a copy
            pairs = [v for size, copies in zip(x.shape, repeats) for v in (copies, size)]
            x = x.reshape([v for size in x.shape for v in (1, size)]).expand(pairs).reshape(shape)
            columns = walk(x, [1] * rank)
        sizes, x_strides, y_strides, copies, far = columns
        n, total = x.numel(), math.prod(copies)
        blocks = triton.cdiv(n, BLOCK)
        # A small input with many copies: several programs share them.
        each = triton.cdiv(total, min(total, triton.cdiv(PROGRAMS, blocks)))
        tile_exp_kernel[(blocks, triton.cdiv(total, each))](
            x, y, n, *sizes[1:], *x_strides, *y_strides, *copies[1:], *far, total, each,
            ACC=tl.float64 if x.dtype == torch.float64 else tl.float32,
            INDEX=tl.int32 if n < 2**30 else tl.int64, BLOCK=BLOCK, num_warps=4,
        )
    return y if out is None or y is out else out.copy_(y)
