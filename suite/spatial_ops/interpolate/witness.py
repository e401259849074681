"""Resizing in Triton: signals and images are volumes with one slice, or one row.

A program computes a block of results of one (batch, channel) plane. All modes but 'area' read a fixed number of pixels
around a position; 'area' walks through a window.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def source(i, extent, scale, ALIGN: tl.constexpr):
    """Where result i stands between pixels, for linear interpolation: lower, upper neighbour, weight of the upper."""
    if ALIGN:
        p = i.to(tl.float32) * scale
    else:
        p = tl.maximum((i.to(tl.float32) + 0.5) * scale - 0.5, 0.0)
    low = tl.minimum(p.to(tl.int32), extent - 1)
    return low, tl.minimum(low + 1, extent - 1), p - low.to(tl.float32)


@triton.jit
def whole(i, extent, scale, EXACT: tl.constexpr):
    """The pixel that result i takes, for nearest interpolation."""
    p = i.to(tl.float32) + 0.5 if EXACT else i.to(tl.float32)
    return tl.minimum((p * scale).to(tl.int32), extent - 1)


@triton.jit
def cubic_weight(d):
    """Cubic convolution kernel (a = -0.75) at distance d >= 0."""
    near = ((1.25 * d - 2.25) * d) * d + 1.0
    far = ((-0.75 * d + 3.75) * d - 6.0) * d + 3.0
    return tl.where(d <= 1.0, near, far)


@triton.jit
def interpolate_kernel(
    x_ptr, y_ptr, channels, D, H, W, out_d, out_h, out_w, blocks, stride_n, stride_c, stride_d, stride_h, stride_w,
    scale_z, scale_y, scale_x, box_d, box_h, box_w, MODE: tl.constexpr, ALIGN: tl.constexpr, BLOCK: tl.constexpr,
):
    plane = tl.program_id(0) // blocks
    at = (tl.program_id(0) % blocks) * BLOCK + tl.arange(0, BLOCK)
    mask = at < out_d * out_h * out_w
    z, y, x = at // (out_h * out_w), at // out_w % out_h, at % out_w
    image = x_ptr + (plane // channels).to(tl.int64) * stride_n + (plane % channels).to(tl.int64) * stride_c
    value = tl.zeros((BLOCK,), tl.float32)
    if MODE == "nearest" or MODE == "nearest-exact":
        EXACT: tl.constexpr = MODE == "nearest-exact"
        z, y = whole(z, D, scale_z, EXACT), whole(y, H, scale_y, EXACT)
        x = whole(x, W, scale_x, EXACT)
        value = tl.load(image + z * stride_d + y * stride_h + x * stride_w, mask=mask, other=0.0).to(tl.float32)
    elif MODE == "area":
        front, behind = z * D // out_d, tl.cdiv((z + 1) * D, out_d)
        top, bottom = y * H // out_h, tl.cdiv((y + 1) * H, out_h)
        left, right = x * W // out_w, tl.cdiv((x + 1) * W, out_w)
        for k in range(box_d * box_h * box_w):
            pz, py, px = front + k // (box_h * box_w), top + k // box_w % box_h, left + k % box_w
            inside = mask & (pz < behind) & (py < bottom) & (px < right)
            pixel = image + pz * stride_d + py * stride_h + px * stride_w
            value += tl.load(pixel, mask=inside, other=0.0).to(tl.float32)
        value /= ((behind - front) * (bottom - top) * (right - left)).to(tl.float32)
    elif MODE == "bicubic":
        if ALIGN:
            py, px = y.to(tl.float32) * scale_y, x.to(tl.float32) * scale_x
        else:
            py, px = (y.to(tl.float32) + 0.5) * scale_y - 0.5, (x.to(tl.float32) + 0.5) * scale_x - 0.5
        top, left = tl.floor(py), tl.floor(px)
        for i in tl.static_range(4):
            row = tl.minimum(tl.maximum(top.to(tl.int32) + (i - 1), 0), H - 1)
            line = tl.zeros((BLOCK,), tl.float32)
            for j in tl.static_range(4):
                column = tl.minimum(tl.maximum(left.to(tl.int32) + (j - 1), 0), W - 1)
                pixel = tl.load(image + row * stride_h + column * stride_w, mask=mask, other=0.0).to(tl.float32)
                line += cubic_weight(tl.abs(px - left - (j - 1))) * pixel
            value += cubic_weight(tl.abs(py - top - (i - 1))) * line
    else:
        top, bottom, fy = source(y, H, scale_y, ALIGN)
        left, right, fx = source(x, W, scale_x, ALIGN)
        if MODE == "trilinear":
            front, behind, fz = source(z, D, scale_z, ALIGN)
        for k in tl.static_range(8 if MODE == "trilinear" else 4):
            offset = (right if k % 2 else left) * stride_w + (bottom if k // 2 % 2 else top) * stride_h
            weight = (fx if k % 2 else 1.0 - fx) * (fy if k // 2 % 2 else 1.0 - fy)
            if MODE == "trilinear":
                offset += (behind if k // 4 else front) * stride_d
                weight *= fz if k // 4 else 1.0 - fz
            value += weight * tl.load(image + offset, mask=mask, other=0.0).to(tl.float32)
    tl.store(y_ptr + plane.to(tl.int64) * (out_d * out_h * out_w) + at, value, mask=mask)


def three(values, filler):
    """The values of up to three directions, with a filler for those in front."""
    return [filler] * (3 - len(values)) + list(values)


def largest_window(length, count):
    """Pixels that the largest of count windows over length pixels has: a window may begin and end within a pixel."""
    return length // count if length % count == 0 else min(triton.cdiv(length, count) + 1, length)


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    sizes = input.shape[2:]
    given = scale_factor if size is None else size
    given = [given] * len(sizes) if isinstance(given, (int, float)) else list(given)
    results = given if size is not None else [int(n * f) for n, f in zip(sizes, given, strict=True)]
    if align_corners:
        scales = [(n - 1) / (m - 1) if m > 1 else 0.0 for n, m in zip(sizes, results, strict=True)]
    elif size is None:
        scales = [1 / f for f in given]
    else:
        scales = [n / m for n, m in zip(sizes, results, strict=True)]
    y = torch.empty((*input.shape[:2], *results), dtype=input.dtype, device=input.device)
    if y.numel() > 0:
        boxes = [largest_window(n, m) for n, m in zip(sizes, results, strict=True)]
        results = three(results, 1)
        count = results[0] * results[1] * results[2]
        block = min(triton.next_power_of_2(count), 512)
        blocks = triton.cdiv(count, block)
        interpolate_kernel[(input.shape[0] * input.shape[1] * blocks,)](
            input, y, input.shape[1], *three(sizes, 1), *results, blocks, *input.stride()[:2],
            *three(input.stride()[2:], 0), *three(scales, 1.0), *three(boxes, 1),
            MODE=mode, ALIGN=bool(align_corners), BLOCK=block, num_warps=4,
        )
    return y
