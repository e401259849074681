"""The distance of adaptively pooled images in Triton.

The difference of two averages is the average of the differences, so both images are read together and nothing is
stored but one partial sum of powers per program. Small windows: a program owns a block of positions of one image, over
all channels, and each position walks through its own window. Large windows: one program a position, which reads its
window a tile at a time. A second kernel adds the partial sums of an image up and takes the root.
"""
import math

import torch
import triton
import triton.language as tl


@triton.jit
def power(size, p, P: tl.constexpr):
    """The p-th power of an absolute value; for p = inf itself, since the largest is wanted."""
    if P == "two":
        size = size * size
    if P == "any":
        size = tl.exp2(p * tl.log2(size))  # 0 for 0, since p is positive
    return size


@triton.jit
def combined(x, P: tl.constexpr):
    """The sum of a block, or its maximum, which a NaN decides."""
    if P == "inf":
        nans = tl.sum(tl.where(x == x, 0, 1), axis=0)
        result = tl.where(nans > 0, float("nan"), tl.max(x, axis=0))
    else:
        result = tl.sum(x, axis=0)
    return result


@triton.jit
def walk_kernel(
    a_ptr, b_ptr, partial_ptr, parts, positions, height, width, rows, columns,
    a_n, a_c, a_h, a_w, b_n, b_c, b_h, b_w, tallest, widest, p, P: tl.constexpr, BLOCK: tl.constexpr,
):
    image = (tl.program_id(0) // parts).to(tl.int64)
    at = tl.program_id(0) % parts * BLOCK + tl.arange(0, BLOCK)
    channel, i, j = at // (rows * columns), at // columns % rows, at % columns
    top, bottom = i * height // rows, tl.cdiv((i + 1) * height, rows)
    left, right = j * width // columns, tl.cdiv((j + 1) * width, columns)
    a_ptrs = a_ptr + image * a_n + channel.to(tl.int64) * a_c
    b_ptrs = b_ptr + image * b_n + channel.to(tl.int64) * b_c
    total = tl.zeros((BLOCK,), tl.float32)
    for r in range(tallest):
        for c in range(widest):
            inside = (at < positions) & (top + r < bottom) & (left + c < right)
            a = tl.load(a_ptrs + (top + r) * a_h + (left + c) * a_w, mask=inside, other=0.0).to(tl.float32)
            b = tl.load(b_ptrs + (top + r) * b_h + (left + c) * b_w, mask=inside, other=0.0).to(tl.float32)
            total += a - b
    size = tl.abs(total / ((bottom - top) * (right - left)).to(tl.float32))
    powers = tl.where(at < positions, power(size, p, P), 0.0)
    tl.store(partial_ptr + tl.program_id(0), combined(powers, P))


@triton.jit
def window_kernel(
    a_ptr, b_ptr, partial_ptr, parts, height, width, rows, columns, a_n, a_c, a_h, a_w, b_n, b_c, b_h, b_w,
    p, P: tl.constexpr, BLOCK: tl.constexpr,
):
    image, position = (tl.program_id(0) // parts).to(tl.int64), tl.program_id(0) % parts
    channel = (position // (rows * columns)).to(tl.int64)
    i, j = position // columns % rows, position % columns
    top, left = i * height // rows, j * width // columns
    tall, wide = tl.cdiv((i + 1) * height, rows) - top, tl.cdiv((j + 1) * width, columns) - left
    a_ptr += image * a_n + channel * a_c
    b_ptr += image * b_n + channel * b_c
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, tall * wide, BLOCK):
        at = start + tl.arange(0, BLOCK)
        y, x = top + at // wide, left + at % wide
        a = tl.load(a_ptr + y * a_h + x * a_w, mask=at < tall * wide, other=0.0).to(tl.float32)
        b = tl.load(b_ptr + y * b_h + x * b_w, mask=at < tall * wide, other=0.0).to(tl.float32)
        total += a - b
    size = tl.abs(tl.sum(total, axis=0) / (tall * wide).to(tl.float32))
    tl.store(partial_ptr + tl.program_id(0), power(size, p, P))


@triton.jit
def norm_kernel(partial_ptr, out_ptr, parts, p, eps, P: tl.constexpr, BLOCK: tl.constexpr):
    partial_ptr += tl.program_id(0).to(tl.int64) * parts
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, parts, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(partial_ptr + at, mask=at < parts, other=0.0)
        if P == "inf":
            total = tl.where((x > total) | (x != x), x, total)
        else:
            total += x
    norm = combined(total, P)
    if P == "two":
        norm = tl.sqrt(norm)
    if P == "any":
        norm = tl.exp2(tl.log2(norm) / p)
    tl.store(out_ptr + tl.program_id(0), norm + eps)


def fused_pairwise_distance_adaptive_avg_pool2d(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    batch, channels, height, width = x1.shape
    size = (output_size, output_size) if isinstance(output_size, int) else output_size
    rows, columns = height if size[0] is None else size[0], width if size[1] is None else size[1]
    kind = "one" if p == 1 else "two" if p == 2 else "inf" if math.isinf(p) else "any"
    out = torch.empty((batch,), dtype=x1.dtype, device=x1.device)
    if batch > 0:
        # A window spans at most one input row more than H / rows, rounded up.
        tallest, widest = min(triton.cdiv(height, rows) + 1, height), min(triton.cdiv(width, columns) + 1, width)
        positions = channels * rows * columns
        block = 256 if tallest * widest <= 64 else 1
        parts = triton.cdiv(positions, block)
        partial = torch.empty((batch, parts), dtype=torch.float32, device=x1.device)
        strides = (*x1.stride(), *x2.stride())
        if block > 1:
            walk_kernel[(batch * parts,)](
                x1, x2, partial, parts, positions, height, width, rows, columns, *strides, tallest, widest, float(p),
                P=kind, BLOCK=block, num_warps=4,
            )
        else:
            tile = min(triton.next_power_of_2(tallest * widest), 1024)
            window_kernel[(batch * parts,)](
                x1, x2, partial, parts, height, width, rows, columns, *strides, float(p),
                P=kind, BLOCK=tile, num_warps=4,
            )
        norm_kernel[(batch,)](partial, out, parts, float(p), float(eps), P=kind, BLOCK=1024, num_warps=4)
    return out.view(batch, 1, 1, 1) if keepdim else out
