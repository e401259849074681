"""Rotary position embedding: pairs (first half, second half) of every row are rotated by an angle of its position, given as cos and sin tables."""
import torch
import triton
import triton.language as tl


@triton.jit
def rotate_pairs_kernel(x_ptr, cos_ptr, sin_ptr, out_ptr, half, HALF: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, HALF)
    inside = at < half
    base = row * 2 * half
    first = tl.load(x_ptr + base + at, mask=inside).to(tl.float32)
    second = tl.load(x_ptr + base + half + at, mask=inside).to(tl.float32)
    cos = tl.load(cos_ptr + row * half + at, mask=inside).to(tl.float32)
    sin = tl.load(sin_ptr + row * half + at, mask=inside).to(tl.float32)
    kind = out_ptr.dtype.element_ty
    tl.store(out_ptr + base + at, (first * cos - second * sin).to(kind), mask=inside)
    tl.store(out_ptr + base + half + at, (second * cos + first * sin).to(kind), mask=inside)


def rotate_pairs(x, cos, sin):
    x, cos, sin = x.contiguous(), cos.contiguous(), sin.contiguous()
    rows, width = x.shape
    out = torch.empty_like(x)
    if out.numel() > 0:
        rotate_pairs_kernel[(rows,)](x, cos, sin, out, width // 2, HALF=triton.next_power_of_2(width // 2))
    return out
