"""Sampling at the points of a grid in Triton: a point's position is computed once, then used for all channels."""
import math

import torch
import triton
import triton.language as tl


@triton.jit
def to_pixel(x, extent, ALIGN: tl.constexpr):
    if ALIGN:
        return (x + 1.0) / 2.0 * (extent - 1)
    else:
        return ((x + 1.0) * extent - 1.0) / 2.0


@triton.jit
def padded(p, extent, PADDING: tl.constexpr, ALIGN: tl.constexpr):
    """A pixel coordinate brought into the image, unless outside counts as zero."""
    if PADDING == "reflection":
        low = 0.0 if ALIGN else -0.5
        span = tl.zeros_like(p) + (extent - 1 if ALIGN else extent)
        distance = tl.abs(p - low)
        turns = tl.floor(distance / tl.maximum(span, 1.0))
        rest = distance - turns * span
        odd = turns - 2.0 * tl.floor(turns * 0.5)
        p = tl.where(span > 0, low + tl.where(odd == 1.0, span - rest, rest), 0.0)
    if PADDING != "zeros":
        p = tl.minimum(tl.maximum(p, 0.0), tl.zeros_like(p) + (extent - 1))
    return p


@triton.jit
def nearest(p):
    """The nearest whole number, halves to the even one."""
    low = tl.floor(p)
    odd = low - 2.0 * tl.floor(low * 0.5)
    return low + tl.where((p - low > 0.5) | ((p - low == 0.5) & (odd == 1.0)), 1.0, 0.0)


@triton.jit
def fetch(plane, x, y, z, W, H, D, stride_w, stride_h, stride_d, mask):
    """Pixels at whole-numbered float coordinates; 0 outside the image."""
    inside = (x >= 0) & (x < W) & (y >= 0) & (y < H) & (z >= 0) & (z < D) & mask
    column = tl.where(inside, x, 0.0).to(tl.int64)
    row = tl.where(inside, y, 0.0).to(tl.int64)
    slice_ = tl.where(inside, z, 0.0).to(tl.int64)
    return tl.load(plane + slice_ * stride_d + row * stride_h + column * stride_w, mask=inside, other=0.0)


@triton.jit
def cubic_weight(d):
    """Cubic convolution kernel (a = -0.75) at distance d >= 0."""
    near = ((1.25 * d - 2.25) * d) * d + 1.0
    far = ((-0.75 * d + 3.75) * d - 6.0) * d + 3.0
    return tl.where(d <= 1.0, near, tl.where(d < 2.0, far, 0.0))


@triton.jit
def grid_sample_kernel(
    x_ptr, grid_ptr, y_ptr, channels, D, H, W, out_height, out_width, points, blocks,
    stride_n, stride_c, stride_d, stride_h, stride_w, grid_n, grid_d, grid_h, grid_w, grid_xyz,
    MODE: tl.constexpr, PADDING: tl.constexpr, ALIGN: tl.constexpr, VOLUME: tl.constexpr, BLOCK: tl.constexpr,
):
    n = (tl.program_id(0) // blocks).to(tl.int64)
    point = (tl.program_id(0) % blocks) * BLOCK + tl.arange(0, BLOCK)
    mask = point < points
    at = point // (out_height * out_width) * grid_d + point // out_width % out_height * grid_h
    grid = grid_ptr + n * grid_n + at + point % out_width * grid_w
    px = to_pixel(tl.load(grid, mask=mask, other=0.0), W, ALIGN)
    py = to_pixel(tl.load(grid + grid_xyz, mask=mask, other=0.0), H, ALIGN)
    pz = px * 0.0
    if VOLUME:
        pz = to_pixel(tl.load(grid + 2 * grid_xyz, mask=mask, other=0.0), D, ALIGN)
    if MODE != "bicubic":
        px, py = padded(px, W, PADDING, ALIGN), padded(py, H, PADDING, ALIGN)
        if VOLUME:
            pz = padded(pz, D, PADDING, ALIGN)
    left, top, front = tl.floor(px), tl.floor(py), tl.floor(pz)
    fx, fy, fz = px - left, py - top, pz - front

    out = y_ptr + n * channels * points + point
    for c in range(channels):
        plane = x_ptr + n * stride_n + c.to(tl.int64) * stride_c
        if MODE == "nearest":
            value = fetch(
                plane, nearest(px), nearest(py), nearest(pz), W, H, D, stride_w, stride_h, stride_d, mask
            )
        elif MODE == "bilinear":
            value = fx * 0.0
            for k in tl.static_range(8 if VOLUME else 4):
                right, below, behind = k % 2, k // 2 % 2, k // 4
                weight = (fx if right else 1.0 - fx) * (fy if below else 1.0 - fy)
                if VOLUME:
                    weight *= fz if behind else 1.0 - fz
                pixel = fetch(
                    plane, left + right, top + below, front + behind, W, H, D, stride_w, stride_h, stride_d, mask
                )
                value += weight * pixel
        else:
            value = fx * 0.0
            for i in tl.static_range(4):
                row = padded(top + (i - 1), H, PADDING, ALIGN)
                line = fx * 0.0
                for j in tl.static_range(4):
                    column = padded(left + (j - 1), W, PADDING, ALIGN)
                    pixel = fetch(plane, column, row, front, W, H, D, stride_w, stride_h, stride_d, mask)
                    line += cubic_weight(tl.abs(fx - (j - 1))) * pixel
                value += cubic_weight(tl.abs(fy - (i - 1))) * line
        tl.store(out + c.to(tl.int64) * points, value, mask=mask)


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    y = torch.empty((*input.shape[:2], *grid.shape[1:-1]), dtype=input.dtype, device=input.device)
    if y.numel() > 0:
        volume = input.dim() == 5
        # An image is a volume of one slice.
        x = input if volume else input.unsqueeze(2)
        points_of = grid if volume else grid.unsqueeze(1)
        points = math.prod(points_of.shape[1:4])
        block = min(triton.next_power_of_2(points), 256)
        blocks = triton.cdiv(points, block)
        grid_sample_kernel[(x.shape[0] * blocks,)](
            x, points_of, y, x.shape[1], *x.shape[2:], *points_of.shape[2:4], points, blocks,
            *x.stride(), *points_of.stride(),
            MODE=mode, PADDING=padding_mode, ALIGN=align_corners, VOLUME=volume,
            BLOCK=block, num_warps=max(block // 64, 1),
        )
    return y
