# task: expand_where
# style: early returns: empty results, and a result that is only filled; several exits of one function
import torch
import triton
import triton.language as tl

RAW = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


@triton.jit
def where_kernel(c_ptr, x_ptr, o_ptr, y_ptr, n, s1, s2, s3, c0, c1, c2, c3, x0, x1, x2, x3, o0, o1, o2, o3, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    i3, i2, i1, i0 = i % s3, i // s3 % s2, i // (s3 * s2) % s1, i // (s3 * s2 * s1)
    c = tl.load(c_ptr + i0 * c0 + i1 * c1 + i2 * c2 + i3 * c3, mask=m, other=0)
    x = tl.load(x_ptr + i0 * x0 + i1 * x1 + i2 * x2 + i3 * x3, mask=m & (c != 0), other=0)
    o = tl.load(o_ptr + i0 * o0 + i1 * o1 + i2 * o2 + i3 * o3, mask=m & (c == 0), other=0)
    tl.store(y_ptr + i, tl.where(c != 0, x, o), mask=m)


def expand_where(input, target_sizes, cond, other):
    x = input.expand(*target_sizes)
    y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    if y.numel() == 0:
        return y
    if not isinstance(other, torch.Tensor):
        other = torch.full((), other, dtype=x.dtype, device=x.device)
    c, o = cond.expand(x.shape), other.expand(x.shape)
    pad = 4 - x.dim()
    strides = [s for t in (c, x, o) for s in [0] * pad + list(t.stride())]
    raw = RAW[x.element_size()]
    sizes = [1] * pad + list(x.shape)
    where_kernel[(triton.cdiv(y.numel(), 256),)](c, x.view(raw), o.view(raw), y.view(raw), y.numel(), *sizes[1:], *strides, BLOCK=256)
    return y
