"""Convolution, max pooling and ReLU in Triton.

One kernel convolves, as an implicit matrix product: for each group, weight is a matrix (output channels, terms) with
terms = channels * R * S, and the input a matrix (terms, positions) whose elements are gathered from the image while the
product runs. A second kernel takes the maximum over each window and over 0, which is the ReLU: the maximum of nothing
but negative numbers, and the padding, give 0 that way.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def conv2d_kernel(
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
    tl.store(y_ptr + planes * plane + (p % plane)[None, :], acc, mask=y_mask)


@triton.jit
def pool_relu_kernel(
    c_ptr, y_ptr, height, width, out_height, out_width, kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w,
    dilation_h, dilation_w, BLOCK: tl.constexpr,
):
    plane = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    top = at // out_width * stride_h - pad_h
    left = at % out_width * stride_w - pad_w
    largest = tl.zeros((BLOCK,), tl.float32)
    for r in range(kernel_h):
        for s in range(kernel_w):
            row, column = top + r * dilation_h, left + s * dilation_w
            inside = (row >= 0) & (row < height) & (column >= 0) & (column < width) & (at < out_height * out_width)
            c = tl.load(c_ptr + plane * height * width + row * width + column, mask=inside, other=0.0)
            largest = tl.maximum(largest, c, propagate_nan=tl.PropagateNan.ALL)
    tl.store(y_ptr + plane * out_height * out_width + at, largest, mask=at < out_height * out_width)


def pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)


def pooled_length(length, kernel, stride, pad, dilation, ceil_mode):
    room = length + 2 * pad - dilation * (kernel - 1) - 1
    count = (triton.cdiv(room, stride) if ceil_mode else room // stride) + 1
    return count - 1 if ceil_mode and (count - 1) * stride >= length + pad else count


def convolve(input, weight, bias, stride, pad, dilation, groups):
    """The convolution in float32."""
    batch, _, height, width = input.shape
    outputs, group_channels, r, s = weight.shape
    out_height = (height + 2 * pad[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1
    out_width = (width + 2 * pad[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1
    c = torch.empty((batch, outputs, out_height, out_width), dtype=torch.float32, device=input.device)
    positions, group_outputs = batch * out_height * out_width, outputs // groups
    k_tile, p_tile = 64, 128
    grid = (triton.cdiv(group_outputs, k_tile) * triton.cdiv(positions, p_tile), groups)
    if c.numel() > 0:
        conv2d_kernel[grid](
            input, weight.contiguous(), weight if bias is None else bias.contiguous(), c, height, width,
            out_height, out_width, group_channels, group_outputs, outputs, group_channels * r * s, positions,
            *input.stride(), *stride, *pad, *dilation, R=r, S=s, HAS_BIAS=bias is not None,
            K_TILE=k_tile, P_TILE=p_tile, T_TILE=16, num_warps=8,
        )
    return c


def fused_relu_max_pool2d_conv2d(
    input, weight, bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1, pool_kernel_size=2,
    pool_stride=None, pool_padding=0, pool_dilation=1, pool_ceil_mode=False, inplace=False,
):
    c = convolve(input, weight, bias, pair(conv_stride), pair(conv_padding), pair(conv_dilation), conv_groups)
    kernel, pad, dilation = pair(pool_kernel_size), pair(pool_padding), pair(pool_dilation)
    stride = kernel if pool_stride is None else pair(pool_stride)
    batch, outputs, height, width = c.shape
    out_height = pooled_length(height, kernel[0], stride[0], pad[0], dilation[0], pool_ceil_mode)
    out_width = pooled_length(width, kernel[1], stride[1], pad[1], dilation[1], pool_ceil_mode)
    y = torch.empty((batch, outputs, out_height, out_width), dtype=input.dtype, device=input.device)
    if y.numel() > 0:
        block = min(triton.next_power_of_2(out_height * out_width), 256)
        pool_relu_kernel[(batch * outputs, triton.cdiv(out_height * out_width, block))](
            c, y, height, width, out_height, out_width, *kernel, *stride, *pad, *dilation,
            BLOCK=block, num_warps=max(block // 64, 1),
        )
    return y
