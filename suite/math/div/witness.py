"""input / other in Triton, rounded or not: one pass over the broadcast shape.

Where the operands lie in memory as the result does, an element's flat index is its place. Otherwise the result is
walked as four dimensions, and each operand has four strides: 0 along a dimension that is broadcast.
A floor is taken of a quotient that was rounded itself: where that reached a whole number from below, the remainder,
which fma gives exactly, has the wrong sign.
"""
import struct

import torch
import triton
import triton.language as tl

BLOCK = 1024
ACC = {  # what a result dtype is computed in; the other floats: float32
    torch.float64: tl.float64,
    torch.int64: tl.int64, torch.int32: tl.int32, torch.int16: tl.int16, torch.int8: tl.int8, torch.uint8: tl.uint8,
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
def quotient(x, y, ROUNDING: tl.constexpr, ACC: tl.constexpr):
    """x / y, correctly rounded (`/` alone may be two units off in float32), then as ROUNDING says."""
    if ACC == tl.float32:
        q = tl.div_rn(x, y)
    else:
        q = x / y
    if ROUNDING == "trunc":
        q = tl.where(q < 0, tl.ceil(q), tl.floor(q))
    if ROUNDING == "floor":
        q = tl.floor(q)
        remainder = tl.fma(-q, y, x)
        q = tl.where((remainder < 0) & (y > 0) | (remainder > 0) & (y < 0), q - 1, q)
    return q


@triton.jit
def whole_quotient(x, y, ROUNDING: tl.constexpr):
    """The same for integers; `//` rounds toward zero here, as C does."""
    q = x // y
    if ROUNDING == "floor":
        remainder = x - q * y
        q = tl.where((remainder != 0) & ((remainder < 0) != (y < 0)), q - 1, q)
    return q


@triton.jit(do_not_specialize=[
    "size1", "size2", "size3", "x0", "x1", "x2", "x3", "y0", "y1", "y2", "y3", "other_bits"])
def div_kernel(x_ptr, y_ptr, z_ptr, n, size1, size2, size3, x0, x1, x2, x3, y0, y1, y2, y3, other_bits,
               FLAT: tl.constexpr, NUMBER: tl.constexpr, ROUNDING: tl.constexpr, ACC: tl.constexpr, INDEX: tl.constexpr,
               BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(INDEX) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x_at, y_at = offsets, offsets
    if not FLAT:
        x_at = place(offsets, size1, size2, size3, x0, x1, x2, x3)
        y_at = place(offsets, size1, size2, size3, y0, y1, y2, y3)
    x = tl.load(x_ptr + x_at, mask=mask, other=0).to(ACC)
    if NUMBER:
        y = as_number(other_bits, ACC)
    else:
        y = tl.load(y_ptr + y_at, mask=mask, other=1).to(ACC)
    if ACC == tl.float32 or ACC == tl.float64:
        z = quotient(x, y, ROUNDING, ACC)
    else:
        z = whole_quotient(x, y, ROUNDING)
    tl.store(z_ptr + offsets, z, mask=mask)


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


def div(input, other, rounding_mode=None, out=None):
    if rounding_mode not in (None, "trunc", "floor"):
        raise RuntimeError("rounding_mode must be None, 'trunc' or 'floor'")
    dtype = torch.result_type(input, other)
    if rounding_mode is None and not dtype.is_floating_point:
        dtype = torch.get_default_dtype()
    number = not isinstance(other, torch.Tensor)
    shape = input.shape if number else torch.broadcast_shapes(input.shape, other.shape)
    x = input.expand(shape)
    flat, x, y, sizes_and_strides = walk(x, x if number else other.expand(shape))
    z = out if out is not None and out.is_contiguous() else torch.empty(shape, dtype=dtype, device=x.device)
    n = z.numel()
    if n > 0:
        div_kernel[(triton.cdiv(n, BLOCK),)](
            x, y, z, n, *sizes_and_strides, number_bits(other if number else 0, dtype.is_floating_point),
            FLAT=flat, NUMBER=number, ROUNDING=rounding_mode or "none", ACC=ACC.get(dtype, tl.float32),
            INDEX=tl.int32 if n < 2**30 else tl.int64, BLOCK=BLOCK, num_warps=4,
        )
    return z if out is None or z is out else out.copy_(z)
