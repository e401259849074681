# task: index_fill_
# style: 64-bit offsets, negative indices, in place on strided memory, a value that is read from a 0-d tensor
import torch
import triton
import triton.language as tl


@triton.jit
def fill_kernel(x_ptr, index_ptr, v_ptr, total, size, count, istride, d1, d2, t0, t1, t2, td, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK).to(tl.int64)
    m = i < total
    j = i % count
    rest = i // count
    at = tl.load(index_ptr + j * istride, mask=m, other=0)
    at = tl.where(at < 0, at + size, at)
    place = (rest // (d1 * d2)) * t0 + (rest // d2 % d1) * t1 + (rest % d2) * t2 + at * td
    tl.store(x_ptr + place, tl.zeros((BLOCK,), x_ptr.dtype.element_ty) + tl.load(v_ptr), mask=m)


def index_fill_(dim, x, index, value):
    if x.numel() == 0 or index.numel() == 0:
        return x
    dim %= x.dim()
    others = [d for d in range(x.dim()) if d != dim]
    sizes = [1] * (3 - len(others)) + [x.shape[d] for d in others]
    strides = [0] * (3 - len(others)) + [x.stride(d) for d in others]
    total = index.numel() * sizes[0] * sizes[1] * sizes[2]
    number = value.item() if isinstance(value, torch.Tensor) else value
    v = torch.full((1,), number, dtype=x.dtype, device=x.device)
    raw, rv = (x.view(torch.int8), v.view(torch.int8)) if x.dtype == torch.bool else (x, v)
    fill_kernel[(triton.cdiv(total, 256),)](
        raw, index, rv, total, x.shape[dim], index.numel(), index.stride(0), sizes[1], sizes[2], *strides, x.stride(dim), BLOCK=256)
    return x
