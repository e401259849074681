"""Two-dimensional transposed convolution in Triton, without atomics: outputs collect what pixels would scatter.

Output row y receives tap r of the kernel from input row (y + pad - r * dilation) / stride, if that is a whole number.
So all rows with the same remainder modulo stride use the same taps. A program takes outputs of one such phase (vertical
and horizontal), goes through the taps that fit it, and for each multiplies weights (output channels, input channels)
with pixels (input channels, positions): nothing is computed in vain, and phases without a tap hold the bias.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def conv_transpose2d_kernel(
    x_ptr, w_ptr, b_ptr, y_ptr, batch, height, width, out_height, out_width, group_channels, group_outputs, outputs,
    x_n, x_c, x_h, x_w, w_c, w_k, w_r, w_s, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, taps_h, taps_w,
    HAS_BIAS: tl.constexpr, K_TILE: tl.constexpr, P_TILE: tl.constexpr, C_TILE: tl.constexpr,
):
    group = tl.program_id(1)
    phase_h, phase_w = tl.program_id(2) // stride_w, tl.program_id(2) % stride_w
    rows = tl.cdiv(out_height - phase_h, stride_h)  # output rows and columns of this phase
    columns = tl.cdiv(out_width - phase_w, stride_w)
    k_tiles = tl.cdiv(group_outputs, K_TILE)
    k = (tl.program_id(0) % k_tiles) * K_TILE + tl.arange(0, K_TILE)
    p = (tl.program_id(0) // k_tiles) * P_TILE + tl.arange(0, P_TILE)
    valid = p < batch * rows * columns
    image = p // (rows * columns)
    i, j = p // columns % rows, p % columns
    x_base = x_ptr + image.to(tl.int64) * x_n + group.to(tl.int64) * group_channels * x_c
    w_base = w_ptr + group.to(tl.int64) * group_channels * w_c + k * w_k

    acc = tl.zeros((K_TILE, P_TILE), tl.float32)
    for r in range(taps_h):
        from_h = phase_h + pad_h - r * dilation_h
        if from_h % stride_h == 0:
            row = i + from_h // stride_h
            for s in range(taps_w):
                from_w = phase_w + pad_w - s * dilation_w
                if from_w % stride_w == 0:
                    column = j + from_w // stride_w
                    inside = valid & (row >= 0) & (row < height) & (column >= 0) & (column < width)
                    pixel = x_base + row * x_h + column * x_w
                    for start in range(0, group_channels, C_TILE):
                        c = start + tl.arange(0, C_TILE)
                        x_mask = (c < group_channels)[:, None] & inside[None, :]
                        x = tl.load(pixel[None, :] + (c.to(tl.int64) * x_c)[:, None], mask=x_mask, other=0.0)
                        w_mask = (k < group_outputs)[:, None] & (c < group_channels)[None, :]
                        w_tap = w_base + r * w_r + s * w_s
                        w = tl.load(w_tap[:, None] + (c * w_c)[None, :], mask=w_mask, other=0.0)
                        acc = tl.dot(w, x, acc, input_precision="ieee")

    k_all = group * group_outputs + k
    if HAS_BIAS:
        acc += tl.load(b_ptr + k_all, mask=k < group_outputs, other=0.0).to(tl.float32)[:, None]
    planes = (image.to(tl.int64) * outputs)[None, :] + k_all[:, None]
    y_row, y_column = phase_h + i * stride_h, phase_w + j * stride_w
    y_mask = (k < group_outputs)[:, None] & valid[None, :]
    tl.store(y_ptr + planes * out_height * out_width + (y_row * out_width + y_column)[None, :], acc, mask=y_mask)


def pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)


def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    x = input if input.dim() == 4 else input.unsqueeze(0)
    batch, channels, height, width = x.shape
    _, group_outputs, r, s = weight.shape
    stride, pad, extra, dilation = pair(stride), pair(padding), pair(output_padding), pair(dilation)
    out_height = (height - 1) * stride[0] - 2 * pad[0] + dilation[0] * (r - 1) + extra[0] + 1
    out_width = (width - 1) * stride[1] - 2 * pad[1] + dilation[1] * (s - 1) + extra[1] + 1
    y = torch.empty((batch, group_outputs * groups, out_height, out_width), dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        k_tile, p_tile = 64, 128
        # Positions of the largest phase.
        positions = batch * triton.cdiv(out_height, stride[0]) * triton.cdiv(out_width, stride[1])
        grid = (triton.cdiv(group_outputs, k_tile) * triton.cdiv(positions, p_tile), groups, stride[0] * stride[1])
        conv_transpose2d_kernel[grid](
            x, weight, weight if bias is None else bias.contiguous(), y, batch, height, width, out_height, out_width,
            channels // groups, group_outputs, group_outputs * groups, *x.stride(), *weight.stride(),
            *stride, *pad, *dilation, r, s, HAS_BIAS=bias is not None,
            K_TILE=k_tile, P_TILE=p_tile, C_TILE=16, num_warps=8,
        )
    return y if input.dim() == 4 else y.squeeze(0)
