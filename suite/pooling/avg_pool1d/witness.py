"""Average pooling in Triton: a program computes a block of output positions of one (batch, channel) row."""
import math

import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def avg_pool1d_kernel(
    x_ptr, y_ptr, channels, length, out_length, batch_stride, channel_stride, length_stride,
    kernel_size, stride, padding, BLOCK: tl.constexpr, ACC: tl.constexpr,
):
    blocks = tl.cdiv(out_length, BLOCK)
    row = tl.program_id(0) // blocks
    positions = (tl.program_id(0) % blocks) * BLOCK + tl.arange(0, BLOCK)
    x_row = x_ptr + (row // channels).to(tl.int64) * batch_stride + (row % channels).to(tl.int64) * channel_stride
    total = tl.zeros((BLOCK,), ACC)
    for k in range(kernel_size):
        # Neighbouring windows overlap: what one step loads comes from the cache in the next.
        at = positions * stride - padding + k
        inside = (positions < out_length) & (at >= 0) & (at < length)
        total += tl.load(x_row + at.to(tl.int64) * length_stride, mask=inside, other=0.0).to(ACC)
    tl.store(y_ptr + row.to(tl.int64) * out_length + positions, total / kernel_size, mask=positions < out_length)


def avg_pool1d(input, kernel_size, stride=None, padding=0):
    stride = stride or kernel_size
    x = input if input.dim() == 3 else input.unsqueeze(0)
    batch, channels, length = x.shape
    out_length = (length + 2 * padding - kernel_size) // stride + 1
    y = torch.empty(input.shape[:-1] + (out_length,), dtype=input.dtype, device=input.device)
    rows = math.prod(input.shape[:-1])
    if rows > 0:
        block = min(triton.next_power_of_2(out_length), BLOCK)
        acc = tl.float64 if input.dtype == torch.float64 else tl.float32
        avg_pool1d_kernel[(rows * triton.cdiv(out_length, block),)](
            x, y, channels, length, out_length, *x.stride(), kernel_size, stride, padding,
            BLOCK=block, ACC=acc, num_warps=4,
        )
    return y
