"""Cosine and average pooling in Triton: a program computes a block of output positions of one (batch, channel) row."""
import math

import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def cos_avg_pool1d_kernel(
    x_ptr, y_ptr, channels, length, out_length, batch_stride, channel_stride, length_stride,
    kernel_size, stride, padding, COUNT_PAD: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr,
):
    blocks = tl.cdiv(out_length, BLOCK)
    row = tl.program_id(0) // blocks
    positions = (tl.program_id(0) % blocks) * BLOCK + tl.arange(0, BLOCK)
    x_row = x_ptr + (row // channels).to(tl.int64) * batch_stride + (row % channels).to(tl.int64) * channel_stride
    start = positions * stride - padding
    total = tl.zeros((BLOCK,), ACC)
    for k in range(kernel_size):
        # Neighbouring windows overlap: what one step loads comes from the cache in the next.
        at = start + k
        inside = (positions < out_length) & (at >= 0) & (at < length)
        cosine = tl.cos(tl.load(x_row + at.to(tl.int64) * length_stride, mask=inside, other=0.0).to(ACC))
        total += tl.where(inside, cosine, 0.0)
    if COUNT_PAD:
        count = tl.minimum(start + kernel_size, length + padding) - start
    else:
        count = tl.minimum(start + kernel_size, length) - tl.maximum(start, 0)
    tl.store(y_ptr + row.to(tl.int64) * out_length + positions, total / count.to(ACC), mask=positions < out_length)


def pooled_length(length, kernel_size, stride, padding, ceil_mode):
    room = length + 2 * padding - kernel_size
    if not ceil_mode:
        return room // stride + 1
    count = triton.cdiv(room, stride) + 1
    return count - 1 if (count - 1) * stride >= length + padding else count


def fused_cos_avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    stride = stride or kernel_size
    x = input if input.dim() == 3 else input.unsqueeze(0)
    _, channels, length = x.shape
    out_length = pooled_length(length, kernel_size, stride, padding, ceil_mode)
    y = torch.empty(input.shape[:-1] + (out_length,), dtype=input.dtype, device=input.device)
    rows = math.prod(input.shape[:-1])
    if rows > 0:
        block = min(triton.next_power_of_2(out_length), BLOCK)
        acc = tl.float64 if input.dtype == torch.float64 else tl.float32
        cos_avg_pool1d_kernel[(rows * triton.cdiv(out_length, block),)](
            x, y, channels, length, out_length, *x.stride(), kernel_size, stride, padding,
            COUNT_PAD=count_include_pad, ACC=acc, BLOCK=block, num_warps=4,
        )
    return y
