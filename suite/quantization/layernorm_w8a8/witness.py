"""Witness of layernorm_w8a8: the weight is quantized once, then one program a row does all the rest."""
import torch
import triton
import triton.language as tl


@triton.jit
def round_even(x):
    """Nearest integer, ties to even, for |x| < 2^22: adding 1.5 * 2^23 pushes the fraction out of the mantissa."""
    return (x + 12582912.0) - 12582912.0


@triton.jit
def quantize_int8(x, largest):
    """The integers of symmetric int8 (still float32) and their scale. Zeros give zeros."""
    scale = largest / 127.0
    return tl.clamp(round_even(x / tl.where(scale > 0, scale, 1.0)), -127.0, 127.0), scale


@triton.jit
def quantize_weight_kernel(weight_ptr, q_ptr, scale_ptr, n, BLOCK: tl.constexpr):
    """One program: the scale of the whole weight, then its integers."""
    offsets = tl.arange(0, BLOCK)
    largest = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + offsets
        largest = tl.maximum(largest, tl.abs(tl.load(weight_ptr + at, mask=at < n, other=0.0)))
    total = tl.max(largest, axis=0)
    for start in range(0, n, BLOCK):
        at = start + offsets
        q, scale = quantize_int8(tl.load(weight_ptr + at, mask=at < n, other=0.0), total)
        tl.store(q_ptr + at, q.to(tl.int8), mask=at < n)
    tl.store(scale_ptr, total / 127.0)


@triton.jit
def layernorm_kernel(
    x_ptr, y_ptr, q_weight_ptr, weight_scale_ptr, bias_ptr, n, eps,
    HAS_WEIGHT: tl.constexpr, HAS_BIAS: tl.constexpr, BLOCK: tl.constexpr,
):
    """One row, held in registers as a whole."""
    row = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    valid = at < n
    x = tl.load(x_ptr + row + at, mask=valid, other=0.0)
    mean = tl.sum(x, axis=0) / n
    deviation = tl.where(valid, x - mean, 0.0)
    variance = tl.sum(deviation * deviation, axis=0) / n
    normalized = deviation / tl.sqrt(variance + eps)
    q, scale = quantize_int8(normalized, tl.max(tl.abs(normalized), axis=0))
    if HAS_WEIGHT:
        w = tl.load(q_weight_ptr + at, mask=valid, other=0)
        product = q.to(tl.int32) * w.to(tl.int32)
        y = product.to(tl.float32) * (scale * tl.load(weight_scale_ptr))
    else:
        y = q * scale
    if HAS_BIAS:
        y += tl.load(bias_ptr + at, mask=valid, other=0.0)
    tl.store(y_ptr + row + at, y, mask=valid)


def layernorm_w8a8(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = 1
    for size in normalized_shape:
        n *= size
    if x.numel() == 0:
        return y
    q_weight = weight_scale = None
    if weight is not None:
        weight = weight.contiguous()
        q_weight = torch.empty((n,), dtype=torch.int8, device=x.device)
        weight_scale = torch.empty((1,), dtype=torch.float32, device=x.device)
        quantize_weight_kernel[(1,)](weight, q_weight, weight_scale, n, BLOCK=4096, num_warps=8)
    bias = bias.contiguous() if bias is not None else None
    block = triton.next_power_of_2(n)
    layernorm_kernel[(x.numel() // n,)](
        x, y, q_weight, weight_scale, bias, n, eps,
        HAS_WEIGHT=weight is not None, HAS_BIAS=bias is not None, BLOCK=block, num_warps=min(max(block // 512, 1), 16),
    )
    return y
