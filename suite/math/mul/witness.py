"""input * other in Triton: one pass over the broadcast shape.

Where the operands lie in memory as the result does, an element's flat index is its place. Otherwise the result is
walked as four dimensions, and each operand has four strides: 0 along a dimension that is broadcast.
A complex tensor is read as pairs of real numbers; a real operand has imaginary part 0.
"""
import struct

import torch
import triton
import triton.language as tl

BLOCK = 1024
ACC = {  # what a result dtype is computed in; the other floats: float32
    torch.float64: tl.float64, torch.complex128: tl.float64,
    torch.int64: tl.int64, torch.int32: tl.int32, torch.int16: tl.int16, torch.int8: tl.int8, torch.uint8: tl.uint8,
    torch.bool: tl.int8,
}


@triton.jit
def place(offsets, size1, size2, size3, s0, s1, s2, s3):
    """Where the elements of these flat indices lie in a tensor of strides s0 to s3."""
    i3 = offsets % size3
    i2 = offsets // size3 % size2
    i1 = offsets // size3 // size2 % size1
    i0 = offsets // size3 // size2 // size1
    return i0.to(tl.int64) * s0 + i1.to(tl.int64) * s1 + i2.to(tl.int64) * s2 + i3.to(tl.int64) * s3


@triton.jit
def as_number(bits, ACC: tl.constexpr):
    """A Python number that was passed by number_bits."""
    if ACC == tl.float32 or ACC == tl.float64:
        return bits.to(tl.int64).to(tl.float64, bitcast=True).to(ACC)
    else:
        return bits.to(ACC)


@triton.jit
def load(ptr, at, mask, COMPLEX: tl.constexpr, ACC: tl.constexpr):
    """Real and imaginary parts of the elements there."""
    if COMPLEX:
        re = tl.load(ptr + 2 * at, mask=mask, other=0).to(ACC)
        im = tl.load(ptr + 2 * at + 1, mask=mask, other=0).to(ACC)
    else:
        re = tl.load(ptr + at, mask=mask, other=0).to(ACC)
        im = tl.zeros_like(re)
    return re, im


@triton.jit(do_not_specialize=[
    "size1", "size2", "size3", "x0", "x1", "x2", "x3", "y0", "y1", "y2", "y3", "other_bits"])
def mul_kernel(x_ptr, y_ptr, z_ptr, n, size1, size2, size3, x0, x1, x2, x3, y0, y1, y2, y3, other_bits,
               FLAT: tl.constexpr, NUMBER: tl.constexpr, X_COMPLEX: tl.constexpr, Y_COMPLEX: tl.constexpr,
               ACC: tl.constexpr, INDEX: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(INDEX) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x_at, y_at = offsets, offsets
    if not FLAT:
        x_at = place(offsets, size1, size2, size3, x0, x1, x2, x3)
        y_at = place(offsets, size1, size2, size3, y0, y1, y2, y3)
    x_re, x_im = load(x_ptr, x_at, mask, X_COMPLEX, ACC)
    if NUMBER:
        y_re = as_number(other_bits, ACC)
        y_im = tl.zeros_like(x_im)
    else:
        y_re, y_im = load(y_ptr, y_at, mask, Y_COMPLEX, ACC)
    if X_COMPLEX or Y_COMPLEX:
        z = z_ptr + 2 * offsets
        tl.store(z, x_re * y_re - x_im * y_im, mask=mask)
        tl.store(z + 1, x_re * y_im + x_im * y_re, mask=mask)
    else:
        tl.store(z_ptr + offsets, x_re * y_re, mask=mask)


def number_bits(value, floating):
    """A float argument would arrive as float32: a double travels as the 64 bits it has."""
    return struct.unpack("<q", struct.pack("<d", value))[0] if floating else int(value)


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


def as_real(x):
    """A complex tensor as pairs of real numbers in the same memory."""
    return torch.view_as_real(x) if x.is_complex() else x


def mul(input, other, out=None):
    dtype = torch.result_type(input, other)
    number = not isinstance(other, torch.Tensor)
    shape = input.shape if number else torch.broadcast_shapes(input.shape, other.shape)
    x = input.expand(shape)
    flat, x, y, sizes_and_strides = walk(x, x if number else other.expand(shape))
    z = out if out is not None and out.is_contiguous() else torch.empty(shape, dtype=dtype, device=x.device)
    n = z.numel()
    if n > 0:
        floating = dtype.is_floating_point or dtype.is_complex
        mul_kernel[(triton.cdiv(n, BLOCK),)](
            as_real(x), as_real(y), as_real(z), n, *sizes_and_strides, number_bits(other if number else 0, floating),
            FLAT=flat, NUMBER=number, X_COMPLEX=x.is_complex(), Y_COMPLEX=y.is_complex() and not number,
            ACC=ACC.get(dtype, tl.float32), INDEX=tl.int32 if n < 2**30 else tl.int64, BLOCK=BLOCK, num_warps=4,
        )
    return z if out is None or z is out else out.copy_(z)
