"""Adaptive average pooling and sigmoid in Triton.

A program owns one image plane and a block of its output positions. Small windows: every position walks through its
own window. Large windows: one program a position, which reads its window a tile at a time.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def sigmoid(x):
    """The exponential of a number that is never positive: no overflow."""
    e = tl.exp(-tl.abs(x))
    return tl.where(x >= 0, 1.0 / (1.0 + e), e / (1.0 + e))


@triton.jit
def walk_kernel(
    x_ptr, y_ptr, channels, height, width, rows, columns, stride_n, stride_c, stride_h, stride_w,
    tallest, widest, BLOCK: tl.constexpr,
):
    plane = tl.program_id(0)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    i, j = at // columns, at % columns
    top, bottom = i * height // rows, tl.cdiv((i + 1) * height, rows)
    left, right = j * width // columns, tl.cdiv((j + 1) * width, columns)
    x_ptr += (plane // channels).to(tl.int64) * stride_n + (plane % channels).to(tl.int64) * stride_c
    total = tl.zeros((BLOCK,), tl.float32)
    for r in range(tallest):
        for c in range(widest):
            inside = (at < rows * columns) & (top + r < bottom) & (left + c < right)
            offsets = (top + r) * stride_h + (left + c) * stride_w
            total += tl.load(x_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
    average = total / ((bottom - top) * (right - left)).to(tl.float32)
    tl.store(y_ptr + plane.to(tl.int64) * rows * columns + at, sigmoid(average), mask=at < rows * columns)


@triton.jit
def window_kernel(
    x_ptr, y_ptr, channels, height, width, rows, columns, stride_n, stride_c, stride_h, stride_w, BLOCK: tl.constexpr,
):
    plane = tl.program_id(0)
    i, j = tl.program_id(1) // columns, tl.program_id(1) % columns
    top, left = i * height // rows, j * width // columns
    tall, wide = tl.cdiv((i + 1) * height, rows) - top, tl.cdiv((j + 1) * width, columns) - left
    x_ptr += (plane // channels).to(tl.int64) * stride_n + (plane % channels).to(tl.int64) * stride_c
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, tall * wide, BLOCK):
        at = start + tl.arange(0, BLOCK)
        offsets = (top + at // wide) * stride_h + (left + at % wide) * stride_w
        total += tl.load(x_ptr + offsets, mask=at < tall * wide, other=0.0).to(tl.float32)
    average = tl.sum(total, axis=0) / (tall * wide).to(tl.float32)
    tl.store(y_ptr + plane.to(tl.int64) * rows * columns + tl.program_id(1), sigmoid(average))


def fused_sigmoid_adaptive_avg_pool2d(input, output_size):
    x = input if input.dim() == 4 else input.unsqueeze(0)
    batch, channels, height, width = x.shape
    size = (output_size, output_size) if isinstance(output_size, int) else output_size
    rows, columns = height if size[0] is None else size[0], width if size[1] is None else size[1]
    y = torch.empty((batch, channels, rows, columns), dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        # A window spans at most one input row more than H / rows, rounded up.
        tallest, widest = min(triton.cdiv(height, rows) + 1, height), min(triton.cdiv(width, columns) + 1, width)
        common = (x, y, channels, height, width, rows, columns, *x.stride())
        if tallest * widest <= 64:
            block = min(triton.next_power_of_2(rows * columns), 256)
            walk_kernel[(batch * channels, triton.cdiv(rows * columns, block))](
                *common, tallest, widest, BLOCK=block, num_warps=max(block // 64, 1)
            )
        else:
            block = min(triton.next_power_of_2(tallest * widest), 1024)
            window_kernel[(batch * channels, rows * columns)](*common, BLOCK=block, num_warps=4)
    return y if input.dim() == 4 else y.squeeze(0)
