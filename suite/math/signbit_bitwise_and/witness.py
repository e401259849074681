"""Sign bits, and int8(input) & int8(other), in Triton: both in one pass over input.

Where other lies in memory as input does, flat indices will do; otherwise the elements are walked as four dimensions
with strides of their own for each, 0 along a dimension that is broadcast.
"""
import torch
import triton
import triton.language as tl

BLOCK = 2048
AS_INTEGER = {torch.float64: tl.int64, torch.float32: tl.int32, torch.float16: tl.int16, torch.bfloat16: tl.int16}


@triton.jit
def place(offsets, size1, size2, size3, s0, s1, s2, s3):
    """Where the elements of these flat indices lie in a tensor of strides s0 to s3."""
    i3 = offsets % size3
    i2 = offsets // size3 % size2
    i1 = offsets // size3 // size2 % size1
    i0 = offsets // size3 // size2 // size1
    return i0.to(tl.int64) * s0 + i1.to(tl.int64) * s1 + i2.to(tl.int64) * s2 + i3.to(tl.int64) * s3


@triton.jit(do_not_specialize=["size1", "size2", "size3", "x0", "x1", "x2", "x3", "y0", "y1", "y2", "y3"])
def signbit_bitwise_and_kernel(
    x_ptr, y_ptr, sign_ptr, and_ptr, n, size1, size2, size3, x0, x1, x2, x3, y0, y1, y2, y3,
    FLAT: tl.constexpr, AS_INTEGER: tl.constexpr, INDEX: tl.constexpr, BLOCK: tl.constexpr,
):
    offsets = tl.program_id(0).to(INDEX) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x_at, y_at = offsets, offsets
    if not FLAT:
        x_at = place(offsets, size1, size2, size3, x0, x1, x2, x3)
        y_at = place(offsets, size1, size2, size3, y0, y1, y2, y3)
    x = tl.load(x_ptr + x_at, mask=mask, other=0.0)
    y = tl.load(y_ptr + y_at, mask=mask, other=0)
    tl.store(sign_ptr + offsets, x.to(AS_INTEGER, bitcast=True) < 0, mask=mask)
    # A float is cut to a whole number first; of a wider integer the lowest eight bits remain.
    tl.store(and_ptr + offsets, x.to(tl.int32).to(tl.int8) & y.to(tl.int8), mask=mask)


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


def signbit_bitwise_and(input, other):
    flat, x, y, sizes_and_strides = walk(input, other.expand(input.shape))
    sign = torch.empty(x.shape, dtype=torch.bool, device=x.device)
    both = torch.empty(x.shape, dtype=torch.int8, device=x.device)
    n = x.numel()
    if n > 0:
        signbit_bitwise_and_kernel[(triton.cdiv(n, BLOCK),)](
            x, y, sign, both, n, *sizes_and_strides,
            FLAT=flat, AS_INTEGER=AS_INTEGER[x.dtype], INDEX=tl.int32 if n < 2**30 else tl.int64,
            BLOCK=BLOCK, num_warps=8,
        )
    return sign, both
