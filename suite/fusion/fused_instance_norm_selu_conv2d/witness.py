"""Two-dimensional convolution, SELU and instance normalization in Triton.

The first kernel convolves, as an implicit matrix product: for each group, weight is a matrix (output channels, terms)
with terms = channels * R * S, and the input a matrix (terms, positions) whose elements are gathered from the image
while the product runs. It stores SELU of the sums in float32. The second one normalizes: one program a plane, which it
reads three times (for the mean, the squares, the result), mostly from the cache.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def selu(x):
    return tl.where(x > 0, 1.0507009873554805 * x, 1.7580993408473766 * (tl.exp(tl.minimum(x, 0.0, propagate_nan=tl.PropagateNan.ALL)) - 1.0))


@triton.jit
def selu_conv2d_kernel(
    x_ptr, w_ptr, b_ptr, y_ptr, height, width, out_height, out_width, group_channels, group_outputs, outputs,
    terms, positions, batch_stride, channel_stride, row_stride, column_stride,
    stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, R: tl.constexpr, S: tl.constexpr, HAS_BIAS: tl.constexpr,
    K_TILE: tl.constexpr, P_TILE: tl.constexpr, T_TILE: tl.constexpr,
):
    group = tl.program_id(1)
    k_tiles = tl.cdiv(group_outputs, K_TILE)
    k = (tl.program_id(0) % k_tiles) * K_TILE + tl.arange(0, K_TILE)
    p = (tl.program_id(0) // k_tiles) * P_TILE + tl.arange(0, P_TILE)
    image = p // (out_height * out_width)
    top = p // out_width % out_height * stride_h - pad_h
    left = p % out_width * stride_w - pad_w
    x_base = x_ptr + group.to(tl.int64) * group_channels * channel_stride + image.to(tl.int64) * batch_stride
    w_base = w_ptr + (group * group_outputs + k).to(tl.int64) * terms

    acc = tl.zeros((K_TILE, P_TILE), tl.float32)
    for start in range(0, terms, T_TILE):
        t = start + tl.arange(0, T_TILE)
        channel = t // (R * S)
        row = top[None, :] + (t // S % R * dilation_h)[:, None]
        column = left[None, :] + (t % S * dilation_w)[:, None]
        inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        inside = inside & (t < terms)[:, None] & (p < positions)[None, :]
        offsets = channel[:, None] * channel_stride + row * row_stride + column * column_stride
        x = tl.load(x_base[None, :] + offsets, mask=inside, other=0.0)
        w_mask = (k < group_outputs)[:, None] & (t < terms)[None, :]
        w = tl.load(w_base[:, None] + t[None, :], mask=w_mask, other=0.0)
        acc = tl.dot(w, x, acc, input_precision="ieee")

    k_all = group * group_outputs + k
    if HAS_BIAS:
        acc += tl.load(b_ptr + k_all, mask=k < group_outputs, other=0.0).to(tl.float32)[:, None]
    plane = out_height * out_width
    planes = (image.to(tl.int64) * outputs)[None, :] + k_all[:, None]
    y_mask = (k < group_outputs)[:, None] & (p < positions)[None, :]
    tl.store(y_ptr + planes * plane + (p % plane)[None, :], selu(acc), mask=y_mask)


@triton.jit
def normalize_kernel(z_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    z_ptr += tl.program_id(0).to(tl.int64) * n
    y_ptr += tl.program_id(0).to(tl.int64) * n
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(z_ptr + at, mask=at < n, other=0.0)
    mean = tl.sum(total, axis=0) / n
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        difference = tl.where(at < n, tl.load(z_ptr + at, mask=at < n, other=0.0) - mean, 0.0)
        squares += difference * difference
    scale = 1.0 / tl.sqrt(tl.sum(squares, axis=0) / n + eps)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        z = tl.load(z_ptr + at, mask=at < n, other=0.0)
        tl.store(y_ptr + at, (z - mean) * scale, mask=at < n)


def pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)


def convolve(input, weight, bias, stride, pad, dilation, groups):
    """SELU of the convolution, in float32."""
    batch, _, height, width = input.shape
    outputs, group_channels, r, s = weight.shape
    out_height = (height + 2 * pad[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1
    out_width = (width + 2 * pad[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1
    z = torch.empty((batch, outputs, out_height, out_width), dtype=torch.float32, device=input.device)
    positions, group_outputs = batch * out_height * out_width, outputs // groups
    k_tile, p_tile = 64, 128
    grid = (triton.cdiv(group_outputs, k_tile) * triton.cdiv(positions, p_tile), groups)
    selu_conv2d_kernel[grid](
        input, weight.contiguous(), weight if bias is None else bias.contiguous(), z, height, width,
        out_height, out_width, group_channels, group_outputs, outputs, group_channels * r * s, positions,
        *input.stride(), *stride, *pad, *dilation, R=r, S=s, HAS_BIAS=bias is not None,
        K_TILE=k_tile, P_TILE=p_tile, T_TILE=16, num_warps=8,
    )
    return z


def fused_instance_norm_selu_conv2d(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    z = convolve(input, weight, bias, pair(stride), pair(padding), pair(dilation), groups)
    y = torch.empty_like(z, dtype=input.dtype)
    plane = z.shape[2] * z.shape[3]
    block = min(triton.next_power_of_2(plane), 2048)
    normalize_kernel[(z.shape[0] * z.shape[1],)](z, y, plane, eps, BLOCK=block, num_warps=max(min(block // 256, 8), 1))
    return y
