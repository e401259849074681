"""Round down in Triton: one read, one write. Half precision is widened on the way."""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def floor_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, WHOLE: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0)
    if not WHOLE:  # an integer is its own floor
        x = tl.floor(x.to(ACC))
    tl.store(y_ptr + offsets, x, mask=mask)


def floor(input, out=None):
    x = input.contiguous()
    y = out if out is not None and out.is_contiguous() else torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        whole = not x.dtype.is_floating_point
        floor_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, y, x.numel(), acc, whole, BLOCK, num_warps=4)
    return y if out is None or y is out else out.copy_(y)
