"""Adaptive average pooling in Triton.

A program owns some output positions of one image plane. Their windows are laid out as a tile (positions, pixels): every
position walks through a box of the largest window's size, and pixels beyond its own window are masked.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def adaptive_avg_pool2d_kernel(
    x_ptr, y_ptr, channels, height, width, rows, columns, stride_n, stride_c, stride_h, stride_w, blocks,
    box, box_width, ACC: tl.constexpr, POSITIONS: tl.constexpr, PIXELS: tl.constexpr,
):
    plane = tl.program_id(0) // blocks
    position = (tl.program_id(0) % blocks) * POSITIONS + tl.arange(0, POSITIONS)
    i, j = position // columns, position % columns
    top, left = i * height // rows, j * width // columns
    tall, wide = tl.cdiv((i + 1) * height, rows) - top, tl.cdiv((j + 1) * width, columns) - left
    x_ptr += (plane // channels).to(tl.int64) * stride_n + (plane % channels).to(tl.int64) * stride_c
    corner = x_ptr + top.to(tl.int64) * stride_h + left.to(tl.int64) * stride_w
    valid = position < rows * columns
    total = tl.zeros((POSITIONS, PIXELS), ACC)
    for start in range(0, box, PIXELS):
        pixel = start + tl.arange(0, PIXELS)
        r, c = pixel // box_width, pixel % box_width
        inside = (r[None, :] < tall[:, None]) & (c[None, :] < wide[:, None]) & valid[:, None]
        offsets = r.to(tl.int64) * stride_h + c.to(tl.int64) * stride_w
        total += tl.load(corner[:, None] + offsets[None, :], mask=inside, other=0.0).to(ACC)
    average = tl.sum(total, axis=1) / (tall * wide).to(ACC)
    tl.store(y_ptr + plane.to(tl.int64) * rows * columns + position, average, mask=valid)


def largest_window(length, count):
    """Rows that the tallest of count windows over length rows has: a window may begin and end within a row."""
    return length // count if length % count == 0 else min(triton.cdiv(length, count) + 1, length)


def adaptive_avg_pool2d(input, output_size):
    x = input if input.dim() == 4 else input.unsqueeze(0)
    batch, channels, height, width = x.shape
    size = (output_size, output_size) if isinstance(output_size, int) else output_size
    rows, columns = height if size[0] is None else size[0], width if size[1] is None else size[1]
    y = torch.empty((batch, channels, rows, columns), dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        box_width = largest_window(width, columns)
        box = largest_window(height, rows) * box_width
        pixels = min(triton.next_power_of_2(box), 1024)
        positions = min(1024 // pixels, triton.next_power_of_2(rows * columns))
        blocks = triton.cdiv(rows * columns, positions)
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        adaptive_avg_pool2d_kernel[(batch * channels * blocks,)](
            x, y, channels, height, width, rows, columns, *x.stride(), blocks, box, box_width,
            ACC=acc, POSITIONS=positions, PIXELS=pixels, num_warps=4,
        )
    return y if input.dim() == 4 else y.squeeze(0)
