"""Witness of grid_sample_with_affine: each pixel computes its sampling point once, for all channels."""
import torch
import triton
import triton.language as tl


@triton.jit
def base_coordinate(index, extent, ALIGN: tl.constexpr):
    """Grid coordinate in [-1, 1] of output column (or row) `index`."""
    i = index.to(tl.float32)
    if ALIGN:
        # A single column lies in the middle.
        return tl.where(extent > 1, -1.0 + 2.0 * i / tl.maximum(extent - 1, 1), 0.0)
    else:
        return -1.0 + (2.0 * i + 1.0) / extent


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
        span = (extent - 1 if ALIGN else extent).to(tl.float32)
        distance = tl.abs(p - low)
        turns = tl.floor(distance / tl.maximum(span, 1.0))
        rest = distance - turns * span
        odd = turns - 2.0 * tl.floor(turns * 0.5)
        p = tl.where(span > 0, low + tl.where(odd == 1.0, span - rest, rest), 0.0)
    if PADDING != "zeros":
        p = tl.minimum(tl.maximum(p, 0.0), (extent - 1).to(tl.float32))
    return p


@triton.jit
def fetch(plane_ptrs, x, y, W, H, stride_h, stride_w, mask):
    """Pixels at whole-numbered float coordinates; 0 outside the image."""
    inside = (x >= 0) & (x < W) & (y >= 0) & (y < H) & mask
    column = tl.where(inside, x, 0.0).to(tl.int32)
    row = tl.where(inside, y, 0.0).to(tl.int32)
    return tl.load(plane_ptrs + row * stride_h + column * stride_w, mask=inside, other=0.0)


@triton.jit
def cubic_weight(d):
    """Cubic convolution kernel (a = -0.75) at distance d >= 0."""
    near = ((1.25 * d - 2.25) * d) * d + 1.0
    far = ((-0.75 * d + 3.75) * d - 6.0) * d + 3.0
    return tl.where(d <= 1.0, near, tl.where(d < 2.0, far, 0.0))


@triton.jit
def sample_kernel(
    x_ptr, theta_ptr, y_ptr, C, H, W, OH, OW, stride_n, stride_c, stride_h, stride_w, stride_tn, stride_tr, stride_tc,
    MODE: tl.constexpr, PADDING: tl.constexpr, ALIGN: tl.constexpr, BLOCK: tl.constexpr,
):
    n = tl.program_id(1)
    pixel = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = pixel < OH * OW
    base_x = base_coordinate(pixel % OW, OW, ALIGN)
    base_y = base_coordinate(pixel // OW, OH, ALIGN)
    theta = theta_ptr + n * stride_tn
    grid_x = tl.load(theta) * base_x + tl.load(theta + stride_tc) * base_y + tl.load(theta + 2 * stride_tc)
    theta += stride_tr
    grid_y = tl.load(theta) * base_x + tl.load(theta + stride_tc) * base_y + tl.load(theta + 2 * stride_tc)
    px, py = to_pixel(grid_x, W, ALIGN), to_pixel(grid_y, H, ALIGN)
    if MODE != "bicubic":
        px, py = padded(px, W, PADDING, ALIGN), padded(py, H, PADDING, ALIGN)
    left, top = tl.floor(px), tl.floor(py)
    fx, fy = px - left, py - top

    image = x_ptr + n.to(tl.int64) * stride_n
    out = y_ptr + n.to(tl.int64) * C * OH * OW + pixel
    for c in range(C):
        plane = image + c * stride_c
        if MODE == "nearest":
            # Halves go to the even neighbour.
            odd_left = left - 2.0 * tl.floor(left * 0.5)
            odd_top = top - 2.0 * tl.floor(top * 0.5)
            column = left + tl.where((fx > 0.5) | ((fx == 0.5) & (odd_left == 1.0)), 1.0, 0.0)
            row = top + tl.where((fy > 0.5) | ((fy == 0.5) & (odd_top == 1.0)), 1.0, 0.0)
            value = fetch(plane, column, row, W, H, stride_h, stride_w, mask)
        elif MODE == "bilinear":
            value = (1.0 - fx) * (1.0 - fy) * fetch(plane, left, top, W, H, stride_h, stride_w, mask)
            value += fx * (1.0 - fy) * fetch(plane, left + 1.0, top, W, H, stride_h, stride_w, mask)
            value += (1.0 - fx) * fy * fetch(plane, left, top + 1.0, W, H, stride_h, stride_w, mask)
            value += fx * fy * fetch(plane, left + 1.0, top + 1.0, W, H, stride_h, stride_w, mask)
        else:
            value = tl.zeros((BLOCK,), tl.float32)
            for i in tl.static_range(4):
                row = padded(top + (i - 1), H, PADDING, ALIGN)
                line = tl.zeros((BLOCK,), tl.float32)
                for j in tl.static_range(4):
                    column = padded(left + (j - 1), W, PADDING, ALIGN)
                    pixel_value = fetch(plane, column, row, W, H, stride_h, stride_w, mask)
                    line += cubic_weight(tl.abs(fx - (j - 1))) * pixel_value
                value += cubic_weight(tl.abs(fy - (i - 1))) * line
        tl.store(out + c.to(tl.int64) * OH * OW, value, mask=mask)


def grid_sample_with_affine(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    N, C, OH, OW = size
    H, W = input.shape[2:]
    y = torch.empty((N, C, OH, OW), dtype=input.dtype, device=input.device)
    BLOCK = 256
    sample_kernel[(triton.cdiv(OH * OW, BLOCK), N)](
        input, theta, y, C, H, W, OH, OW, *input.stride(), *theta.stride(),
        MODE=mode, PADDING=padding_mode, ALIGN=align_corners, BLOCK=BLOCK,
    )
    return y
