"""index_fill_: one program fills one named slice; x keeps its own strides (up to four dimensions)."""
import torch
import triton
import triton.language as tl


@triton.jit
def fill_slices(x_ptr, index_ptr, value_ptr, size, count, d1, d2, s0, s1, s2, s3, index_stride, BLOCK: tl.constexpr):
    which = tl.program_id(0)
    target = tl.load(index_ptr + which * index_stride)
    target = tl.where(target < 0, target + size, target)
    value = tl.load(value_ptr)
    lane = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inner = lane % d2
    middle = (lane // d2) % d1
    outer = lane // (d2 * d1)
    at = target * s0 + outer.to(tl.int64) * s1 + middle.to(tl.int64) * s2 + inner.to(tl.int64) * s3
    tl.store(x_ptr + at, value, mask=lane < count)


def index_fill_(dim, x, index, value):
    view = x.transpose(0, dim)
    while view.dim() < 4:
        view = view.unsqueeze(1)
    size, d0, d1, d2 = view.shape
    count = d0 * d1 * d2
    if index.numel() == 0 or count == 0:
        return x
    if isinstance(value, torch.Tensor):
        fill = value.to(x.dtype)
    else:
        fill = torch.full((), value, dtype=x.dtype, device=x.device)
    BLOCK = 256
    grid = (index.numel(), triton.cdiv(count, BLOCK))
    fill_slices[grid](view, index, fill, size, count, d1, d2, *view.stride(), index.stride(0), BLOCK=BLOCK)
    return x
