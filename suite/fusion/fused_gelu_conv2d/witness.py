"""Two-dimensional convolution with GELU in Triton, as an implicit matrix product.

For each group, weight is a matrix (output channels, terms) with terms = channels * R * S, and the input a matrix
(terms, positions) that is never built: its elements are gathered from the image while the product runs.
GELU is applied to the accumulator.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def gelu(x, TANH: tl.constexpr):
    if TANH:
        inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)
        # 0.5 * (1 + tanh(z)) is the logistic function of 2 z; exp of a large number may overflow to inf, which gives 0.
        phi = 1.0 / (1.0 + tl.exp(-2.0 * inner))
    else:
        phi = 0.5 * (1.0 + tl.erf(x * 0.7071067811865476))
    return x * phi


@triton.jit
def gelu_conv2d_kernel(
    x_ptr, w_ptr, b_ptr, y_ptr, height, width, out_height, out_width, group_channels, group_outputs, outputs,
    terms, positions, batch_stride, channel_stride, row_stride, column_stride,
    stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, TANH: tl.constexpr,
    R: tl.constexpr, S: tl.constexpr, HAS_BIAS: tl.constexpr,
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
    tl.store(y_ptr + planes * plane + (p % plane)[None, :], gelu(acc, TANH), mask=y_mask)


def pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)


def fused_gelu_conv2d(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None
):
    batch, _, height, width = input.shape
    outputs, group_channels, r, s = weight.shape
    stride, dilation = pair(stride), pair(dilation)
    if padding == "same":  # the smaller half comes first
        total = (dilation[0] * (r - 1), dilation[1] * (s - 1))
        pad = (total[0] // 2, total[1] // 2)
    else:
        pad = pair(0 if padding == "valid" else padding)
        total = (2 * pad[0], 2 * pad[1])
    out_height = (height + total[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1
    out_width = (width + total[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1
    y = out
    if out is None or not out.is_contiguous():
        y = torch.empty((batch, outputs, out_height, out_width), dtype=input.dtype, device=input.device)
    if y.numel() > 0:
        positions, group_outputs = batch * out_height * out_width, outputs // groups
        k_tile, p_tile = 64, 128
        grid = (triton.cdiv(group_outputs, k_tile) * triton.cdiv(positions, p_tile), groups)
        gelu_conv2d_kernel[grid](
            input, weight.contiguous(), weight if bias is None else bias.contiguous(), y, height, width,
            out_height, out_width, group_channels, group_outputs, outputs, group_channels * r * s, positions,
            *input.stride(), *stride, *pad, *dilation, TANH=approximate == "tanh",
            R=r, S=s, HAS_BIAS=bias is not None,
            K_TILE=k_tile, P_TILE=p_tile, T_TILE=16, num_warps=8,
        )
    return y if out is None or y is out else out.copy_(y)
