# task: bitwise_and
# style: a jitted function handed to the kernel as a constexpr argument; tuples of strides as arguments
import torch
import triton
import triton.language as tl


@triton.jit
def both(a, b):
    return a & b


@triton.jit
def zip_with(a_ptr, b_ptr, y_ptr, n, sizes, a_strides, b_strides, OP: tl.constexpr, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    rest = i
    a_at = i * 0
    b_at = i * 0
    for d in tl.static_range(len(sizes)):
        k = rest % sizes[d]
        rest = rest // sizes[d]
        a_at += k * a_strides[d]
        b_at += k * b_strides[d]
    a = tl.load(a_ptr + a_at, mask=i < n, other=0).to(WIDE)
    b = tl.load(b_ptr + b_at, mask=i < n, other=0).to(WIDE)
    tl.store(y_ptr + i, OP(a, b).to(y_ptr.dtype.element_ty), mask=i < n)


def bitwise_and(input, other, out=None):
    dtype = torch.result_type(input, other)
    if not isinstance(other, torch.Tensor):
        wrapped = other & 0xFF if dtype == torch.uint8 else other
        other = torch.empty((), dtype=dtype, device=input.device).copy_(torch.tensor(wrapped).to(dtype))
    shape = torch.broadcast_shapes(input.shape, other.shape)
    a, b = input.expand(shape), other.expand(shape)
    y = torch.empty(shape, dtype=dtype, device=input.device)
    if y.numel() > 0:
        pad = 5 - y.dim()
        sizes = tuple([1] * pad + list(shape))[::-1]
        strides = [tuple([0] * pad + list(t.stride()))[::-1] for t in (a, b)]
        as_bytes = [t.view(torch.int8) if t.dtype == torch.bool else t for t in (a, b, y)]
        zip_with[(triton.cdiv(y.numel(), 256),)](*as_bytes, y.numel(), sizes, *strides, OP=both, WIDE=tl.int64, BLOCK=256)
    return y if out is None else out.copy_(y)
