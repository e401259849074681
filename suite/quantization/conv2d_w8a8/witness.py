"""Witness of conv2d_w8a8: operands become channels-last int8, then the convolution is one implicit matrix product.

Rows of the product are output positions, columns are output channels, and K runs over (kernel row, kernel column,
channel). Channels are padded with zeros to a power of two, so that neighbours along K are neighbours in memory.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def round_even(x):
    """Nearest integer, ties to even, for |x| < 2^22: adding 1.5 * 2^23 pushes the fraction out of the mantissa."""
    return (x + 12582912.0) - 12582912.0


@triton.jit
def absmax_kernel(x_ptr, part_ptr, C, HW, W, parts, stride_n, stride_c, stride_h, stride_w, BLOCK: tl.constexpr):
    """Largest magnitude of one of `parts` pieces of one image."""
    image = tl.program_id(1).to(tl.int64)
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c, position = index // HW, index % HW
    offsets = c.to(tl.int64) * stride_c + (position // W) * stride_h + (position % W) * stride_w
    x = tl.load(x_ptr + image * stride_n + offsets, mask=c < C, other=0.0)
    tl.store(part_ptr + image * parts + tl.program_id(0), tl.max(tl.abs(x), axis=0))


@triton.jit
def quantize_kernel(
    x_ptr, part_ptr, q_ptr, scale_ptr, C, HW, W, parts, stride_n, stride_c, stride_h, stride_w,
    C_PAD: tl.constexpr, BLOCK_P: tl.constexpr, BLOCK_C: tl.constexpr, BLOCK_PARTS: tl.constexpr,
):
    """BLOCK_P positions by BLOCK_C channels of one image, quantized and written as (image, position, channel)."""
    image = tl.program_id(2).to(tl.int64)
    part = tl.arange(0, BLOCK_PARTS)
    largest = tl.zeros((BLOCK_PARTS,), tl.float32)
    for start in range(0, parts, BLOCK_PARTS):
        found = tl.load(part_ptr + image * parts + start + part, mask=start + part < parts, other=0.0)
        largest = tl.maximum(largest, found)
    scale = tl.max(largest, axis=0) / 127.0
    divisor = tl.where(scale > 0, scale, 1.0)  # an image of zeros stays zeros
    position = tl.program_id(0) * BLOCK_P + tl.arange(0, BLOCK_P)[:, None]
    c = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)[None, :]
    offsets = c.to(tl.int64) * stride_c + (position // W) * stride_h + (position % W) * stride_w
    x = tl.load(x_ptr + image * stride_n + offsets, mask=(position < HW) & (c < C), other=0.0)
    q = tl.clamp(round_even(x / divisor), -127.0, 127.0)
    tl.store(q_ptr + (image * HW + position) * C_PAD + c, q.to(tl.int8), mask=position < HW)
    tl.store(scale_ptr + image, scale, mask=(tl.program_id(0) == 0) & (tl.program_id(1) == 0))


@triton.jit
def conv_kernel(
    x_ptr, w_ptr, x_scale_ptr, w_scale_ptr, bias_ptr, y_ptr, M, O, H, W, OH, OW, K, S,
    stride_h, stride_w, pad_h, pad_w,
    C_PAD: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_O: tl.constexpr, BLOCK_K: tl.constexpr, HAS_BIAS: tl.constexpr,
):
    """BLOCK_M output positions (over all images) by BLOCK_O output channels."""
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    o = tl.program_id(1) * BLOCK_O + tl.arange(0, BLOCK_O)
    image, position = m // (OH * OW), m % (OH * OW)
    top = (position // OW) * stride_h - pad_h
    left = (position % OW) * stride_w - pad_w
    x_rows = x_ptr + image[:, None].to(tl.int64) * (H * W * C_PAD)
    w_rows = w_ptr + o[None, :].to(tl.int64) * K
    acc = tl.zeros((BLOCK_M, BLOCK_O), tl.int32)
    for start in range(0, K, BLOCK_K):
        k = start + tl.arange(0, BLOCK_K)
        tap, c = k // C_PAD, k % C_PAD
        h = top[:, None] + (tap // S)[None, :]
        w = left[:, None] + (tap % S)[None, :]
        inside = (h >= 0) & (h < H) & (w >= 0) & (w < W) & (k < K)[None, :] & (m < M)[:, None]
        x = tl.load(x_rows + (h * W + w) * C_PAD + c[None, :], mask=inside, other=0)
        kernel = tl.load(w_rows + k[:, None], mask=(k < K)[:, None] & (o < O)[None, :], other=0)
        acc = tl.dot(x, kernel, acc, out_dtype=tl.int32)
    x_scale = tl.load(x_scale_ptr + image, mask=m < M, other=0.0)
    w_scale = tl.load(w_scale_ptr + o, mask=o < O, other=0.0)
    y = acc.to(tl.float32) * x_scale[:, None] * w_scale[None, :]
    if HAS_BIAS:
        y += tl.load(bias_ptr + o, mask=o < O, other=0.0)[None, :]
    y_ptrs = y_ptr + (image[:, None].to(tl.int64) * O + o[None, :]) * (OH * OW) + position[:, None]
    tl.store(y_ptrs, y, mask=(m < M)[:, None] & (o < O)[None, :])


def quantize(x, c_pad):
    """(N, C, H, W) -> int8 (N, H, W, c_pad) and one scale per first index."""
    N, C, H, W = x.shape
    BLOCK = 4096
    parts = triton.cdiv(C * H * W, BLOCK)
    part = torch.empty((N, parts), dtype=torch.float32, device=x.device)
    absmax_kernel[(parts, N)](x, part, C, H * W, W, parts, *x.stride(), BLOCK=BLOCK, num_warps=8)
    q = torch.empty((N, H, W, c_pad), dtype=torch.int8, device=x.device)
    scale = torch.empty((N,), dtype=torch.float32, device=x.device)
    block_c = min(c_pad, 32)
    block_p = min(1024 // block_c, triton.next_power_of_2(H * W))
    quantize_kernel[(triton.cdiv(H * W, block_p), c_pad // block_c, N)](
        x, part, q, scale, C, H * W, W, parts, *x.stride(),
        C_PAD=c_pad, BLOCK_P=block_p, BLOCK_C=block_c, BLOCK_PARTS=min(triton.next_power_of_2(parts), 1024),
    )
    return q, scale


def pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)


def conv2d_w8a8(input, weight, bias=None, stride=1, padding=0):
    (N, C, H, W), (O, _, R, S) = input.shape, weight.shape
    (stride_h, stride_w), (pad_h, pad_w) = pair(stride), pair(padding)
    OH, OW = (H + 2 * pad_h - R) // stride_h + 1, (W + 2 * pad_w - S) // stride_w + 1
    c_pad = max(triton.next_power_of_2(C), 4)
    x, x_scale = quantize(input, c_pad)
    w, w_scale = quantize(weight, c_pad)
    bias = bias.contiguous() if bias is not None else None
    y = torch.empty((N, O, OH, OW), dtype=torch.float32, device=input.device)
    M, K = N * OH * OW, R * S * c_pad
    block_m = 128 if M >= 65536 else 64
    block_o = 128 if O > 64 and M >= 65536 else 64
    conv_kernel[(triton.cdiv(M, block_m), triton.cdiv(O, block_o))](
        x, w, x_scale, w_scale, bias, y, M, O, H, W, OH, OW, K, S, stride_h, stride_w, pad_h, pad_w,
        C_PAD=c_pad, BLOCK_M=block_m, BLOCK_O=block_o, BLOCK_K=64, HAS_BIAS=bias is not None,
        num_warps=8 if block_o == 128 else 4, num_stages=3,
    )
    return y
