"""input * other for bfloat16 in Triton: the product is formed in float32 and rounded once.

Where the operands lie in memory as the result does, an element's flat index is its place. Otherwise the result is
walked as four dimensions, and each operand has four strides: 0 along a dimension that is broadcast.
"""
import torch
import triton
import triton.language as tl

BLOCK = 2048  # 16 bytes a thread with 8 warps


@triton.jit
def place(offsets, size1, size2, size3, s0, s1, s2, s3):
    """Where the elements of these flat indices lie in a tensor of strides s0 to s3."""
    i3 = offsets % size3
    i2 = offsets // size3 % size2
    i1 = offsets // size3 // size2 % size1
    i0 = offsets // size3 // size2 // size1
    return i0.to(tl.int64) * s0 + i1.to(tl.int64) * s1 + i2.to(tl.int64) * s2 + i3.to(tl.int64) * s3


@triton.jit
def multiply(x_ptrs, y_ptrs, z_ptrs, other, mask, NUMBER: tl.constexpr):
    x = tl.load(x_ptrs, mask=mask).to(tl.float32)
    if NUMBER:
        y = other
    else:
        y = tl.load(y_ptrs, mask=mask).to(tl.float32)
    tl.store(z_ptrs, x * y, mask=mask)


@triton.jit(do_not_specialize=["size1", "size2", "size3", "x0", "x1", "x2", "x3", "y0", "y1", "y2", "y3"])
def mul_bf16_kernel(x_ptr, y_ptr, z_ptr, n, size1, size2, size3, x0, x1, x2, x3, y0, y1, y2, y3, other,
                    FLAT: tl.constexpr, NUMBER: tl.constexpr, INDEX: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(INDEX) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    if not FLAT:
        x_at = place(offsets, size1, size2, size3, x0, x1, x2, x3)
        y_at = place(offsets, size1, size2, size3, y0, y1, y2, y3)
        multiply(x_ptr + x_at, y_ptr + y_at, z_ptr + offsets, other, offsets < n, NUMBER)
    elif first + BLOCK <= n:
        # A whole block needs no mask, so a thread can move 16 bytes at a time even when n is odd.
        multiply(x_ptr + offsets, y_ptr + offsets, z_ptr + offsets, other, None, NUMBER)
    else:
        multiply(x_ptr + offsets, y_ptr + offsets, z_ptr + offsets, other, offsets < n, NUMBER)


def walk(x, y):
    """Whether flat indices will do, x, y, and sizes and strides as four dimensions (copies where those are too few)."""
    dims = []
    for size, *strides in zip(x.shape, x.stride(), y.stride()):
        if dims and size > 1 and dims[-1][1:] == [stride * size for stride in strides]:
            dims[-1] = [dims[-1][0] * size, *strides]  # continues the dimension before
        elif size > 1:
            dims.append([size, *strides])
    if len(dims) > 4:
        return walk(x.contiguous(), y.contiguous())
    flat = not dims or dims == [[x.numel(), 1, 1]]
    _, size1, size2, size3, *strides = [v for column in zip(*[[1, 0, 0]] * (4 - len(dims)), *dims) for v in column]
    return flat, x, y, (size1, size2, size3, *strides)


def mul_bf16(input, other):
    number = not isinstance(other, torch.Tensor)
    shape = input.shape if number else torch.broadcast_shapes(input.shape, other.shape)
    x = input.expand(shape)
    flat, x, y, sizes_and_strides = walk(x, x if number else other.expand(shape))
    z = torch.empty(shape, dtype=torch.bfloat16, device=x.device)
    n = z.numel()
    if n > 0:
        mul_bf16_kernel[(triton.cdiv(n, BLOCK),)](
            x, y, z, n, *sizes_and_strides, float(other) if number else 0.0,
            FLAT=flat, NUMBER=number, INDEX=tl.int32 if n < 2**30 else tl.int64, BLOCK=BLOCK, num_warps=8,
        )
    return z
