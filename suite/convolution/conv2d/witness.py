"""Two-dimensional convolution in Triton as an implicit matrix product.

For each group, weight is a matrix (output channels, terms) with terms = channels * R * S, and the input a matrix
(terms, positions) that is never built: its elements are gathered from the image while the product runs. Positions are
the fast dimension, as they are in memory.
"""
import torch
import triton
import triton.language as tl


@triton.autotune(
    configs=[
        triton.Config({"K_TILE": 64, "P_TILE": 128, "T_TILE": 16}, num_warps=8, num_stages=3),
        triton.Config({"K_TILE": 128, "P_TILE": 128, "T_TILE": 16}, num_warps=8, num_stages=3),
    ],
    key=["group_outputs", "terms", "positions"],
)
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
    out_row = p // out_width % out_height
    out_column = p % out_width
    top = out_row * stride_h - pad_h
    left = out_column * stride_w - pad_w
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


def pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    x = input if input.dim() == 4 else input.unsqueeze(0)
    batch, _, height, width = x.shape
    outputs, group_channels, r, s = weight.shape
    (stride_h, stride_w), (dilation_h, dilation_w) = pair(stride), pair(dilation)
    if padding == "same":  # the smaller half comes first
        total_h, total_w = dilation_h * (r - 1), dilation_w * (s - 1)
        pad_h, pad_w = total_h // 2, total_w // 2
    else:
        pad_h, pad_w = pair(0 if padding == "valid" else padding)
        total_h, total_w = 2 * pad_h, 2 * pad_w
    out_height = (height + total_h - dilation_h * (r - 1) - 1) // stride_h + 1
    out_width = (width + total_w - dilation_w * (s - 1) - 1) // stride_w + 1

    y = torch.empty((batch, outputs, out_height, out_width), dtype=x.dtype, device=x.device)
    positions, group_outputs, terms = batch * out_height * out_width, outputs // groups, group_channels * r * s
    if y.numel() > 0:
        b = weight if bias is None else bias.contiguous()

        def grid(meta):
            tiles = triton.cdiv(group_outputs, meta["K_TILE"]) * triton.cdiv(positions, meta["P_TILE"])
            return tiles, groups

        conv2d_kernel[grid](
            x, weight.contiguous(), b, y, height, width, out_height, out_width, group_channels, group_outputs, outputs,
            terms, positions, *x.stride(),
            stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, R=r, S=s, HAS_BIAS=bias is not None,
        )
    return y if input.dim() == 4 else y.squeeze(0)
