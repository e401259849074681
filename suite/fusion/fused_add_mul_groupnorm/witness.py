"""Add, multiply and group normalization in Triton.

The elements of one group of one sample lie together in memory: one program normalizes one group. It goes over it three
times (mean, variance, result); what fits into the caches is read from memory only once.
"""
import math

import torch
import triton
import triton.language as tl


@triton.jit
def add_mul_groupnorm_kernel(
    a_ptr, b_ptr, weight_ptr, bias_ptr, y_ptr, size, space, channels, groups, eps,
    HAS_WEIGHT: tl.constexpr, HAS_BIAS: tl.constexpr, BLOCK: tl.constexpr,
):
    start = tl.program_id(0).to(tl.int64) * size
    total = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, size, BLOCK):
        at = first + tl.arange(0, BLOCK)
        b = tl.load(b_ptr + start + at, mask=at < size, other=0.0).to(tl.float32)
        total += (tl.load(a_ptr + start + at, mask=at < size, other=0.0).to(tl.float32) + b) * b
    mean = tl.sum(total, axis=0) / size
    squares = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, size, BLOCK):
        at = first + tl.arange(0, BLOCK)
        b = tl.load(b_ptr + start + at, mask=at < size, other=0.0).to(tl.float32)
        z = (tl.load(a_ptr + start + at, mask=at < size, other=0.0).to(tl.float32) + b) * b
        difference = tl.where(at < size, z - mean, 0.0)
        squares += difference * difference
    scale = 1.0 / tl.sqrt(tl.sum(squares, axis=0) / size + eps)
    for first in range(0, size, BLOCK):
        at = first + tl.arange(0, BLOCK)
        b = tl.load(b_ptr + start + at, mask=at < size, other=0.0).to(tl.float32)
        z = (tl.load(a_ptr + start + at, mask=at < size, other=0.0).to(tl.float32) + b) * b
        y = (z - mean) * scale
        channel = tl.program_id(0) % groups * channels + at // space
        if HAS_WEIGHT:
            y *= tl.load(weight_ptr + channel, mask=at < size, other=0.0).to(tl.float32)
        if HAS_BIAS:
            y += tl.load(bias_ptr + channel, mask=at < size, other=0.0).to(tl.float32)
        tl.store(y_ptr + start + at, y, mask=at < size)


def fused_add_mul_groupnorm(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    shape = torch.broadcast_shapes(input1.shape, input2.shape)
    if shape[1] % num_groups != 0:
        raise RuntimeError(f"{shape[1]} channels do not form {num_groups} groups")
    a, b = input1.expand(shape).contiguous(), input2.expand(shape).contiguous()
    result = torch.empty(shape, dtype=a.dtype, device=a.device)
    if result.numel() > 0:
        channels, space = shape[1] // num_groups, math.prod(shape[2:])
        block = min(triton.next_power_of_2(channels * space), 4096)
        add_mul_groupnorm_kernel[(shape[0] * num_groups,)](
            a, b, a if weight is None else weight.contiguous(), a if bias is None else bias.contiguous(), result,
            channels * space, space, channels, num_groups, float(eps),
            HAS_WEIGHT=weight is not None, HAS_BIAS=bias is not None, BLOCK=block,
            num_warps=max(min(block // 512, 8), 1),
        )
    return result if out is None else out.copy_(result)
