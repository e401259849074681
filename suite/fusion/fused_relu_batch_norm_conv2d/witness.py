"""Two-dimensional convolution, batch normalization and ReLU in Triton.

The convolution is an implicit matrix product: for each group, weight is a matrix (output channels, terms) with
terms = channels * R * S, and the input a matrix (terms, positions) whose elements are gathered from the image while the
product runs. With running statistics the accumulator is normalized on the spot. While training it is stored in float32;
means and squared deviations of pieces of each channel are combined by Chan's formula, which never subtracts large
squares, and a last kernel normalizes element by element.
"""
import torch
import triton
import triton.language as tl

PIECE = 4096  # values of a channel that one program reduces
BLOCK = 1024  # values that one program normalizes


@triton.jit
def normalized(
    z, channel, mask, mean_ptr, var_ptr, gain_ptr, offset_ptr, eps, HAS_GAIN: tl.constexpr, HAS_OFFSET: tl.constexpr
):
    """Batch normalization and ReLU of values of the given channels."""
    z -= tl.load(mean_ptr + channel, mask=mask, other=0.0)
    z /= tl.sqrt(tl.load(var_ptr + channel, mask=mask, other=1.0) + eps)
    if HAS_GAIN:
        z *= tl.load(gain_ptr + channel, mask=mask, other=0.0)
    if HAS_OFFSET:
        z += tl.load(offset_ptr + channel, mask=mask, other=0.0)
    return tl.maximum(z, 0.0, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def conv2d_kernel(
    x_ptr, w_ptr, b_ptr, mean_ptr, var_ptr, gain_ptr, offset_ptr, y_ptr, height, width, out_height, out_width,
    group_channels, group_outputs, outputs,
    terms, positions, batch_stride, channel_stride, row_stride, column_stride,
    stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, eps,
    FINISH: tl.constexpr, HAS_GAIN: tl.constexpr, HAS_OFFSET: tl.constexpr,
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
    if FINISH:
        acc = normalized(
            acc, k_all[:, None], (k < group_outputs)[:, None], mean_ptr, var_ptr, gain_ptr, offset_ptr, eps,
            HAS_GAIN, HAS_OFFSET,
        )
    plane = out_height * out_width
    planes = (image.to(tl.int64) * outputs)[None, :] + k_all[:, None]
    y_mask = (k < group_outputs)[:, None] & (p < positions)[None, :]
    tl.store(y_ptr + planes * plane + (p % plane)[None, :], acc, mask=y_mask)


@triton.jit
def piece_kernel(z_ptr, mean_ptr, m2_ptr, count, pieces, plane, outputs, PIECE: tl.constexpr):
    """Mean and sum of squared deviations of one piece of one channel, both passes in registers."""
    channel, piece = tl.program_id(0) // pieces, tl.program_id(0) % pieces
    at = piece * PIECE + tl.arange(0, PIECE)  # runs over (image, position) of this channel
    offsets = ((at // plane).to(tl.int64) * outputs + channel) * plane + at % plane
    z = tl.load(z_ptr + offsets, mask=at < count, other=0.0)
    mean = tl.sum(z, axis=0) / tl.minimum(count - piece * PIECE, PIECE)
    deviation = tl.where(at < count, z - mean, 0.0)
    tl.store(mean_ptr + tl.program_id(0), mean)
    tl.store(m2_ptr + tl.program_id(0), tl.sum(deviation * deviation, axis=0))


@triton.jit
def combine_kernel(
    piece_mean_ptr, piece_m2_ptr, mean_ptr, var_ptr, running_mean_ptr, running_var_ptr, running_mean_step, running_var_step,
    count, pieces, momentum, HAS_MEAN: tl.constexpr, HAS_VAR: tl.constexpr, PIECE: tl.constexpr, BLOCK: tl.constexpr,
):
    """One program a channel: its mean and variance, and the running ones."""
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, pieces, BLOCK):
        piece = start + tl.arange(0, BLOCK)
        size = tl.minimum(count - piece * PIECE, PIECE)
        total += tl.load(piece_mean_ptr + row * pieces + piece, mask=piece < pieces, other=0.0) * size
    mean = tl.sum(total, axis=0) / count
    m2 = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, pieces, BLOCK):
        piece = start + tl.arange(0, BLOCK)
        size = tl.minimum(count - piece * PIECE, PIECE)
        shift = tl.load(piece_mean_ptr + row * pieces + piece, mask=piece < pieces, other=0.0) - mean
        inner = tl.load(piece_m2_ptr + row * pieces + piece, mask=piece < pieces, other=0.0)
        m2 += tl.where(piece < pieces, inner + shift * shift * size, 0.0)
    variance = tl.sum(m2, axis=0) / count
    tl.store(mean_ptr + row, mean)
    tl.store(var_ptr + row, variance)
    if HAS_MEAN:
        running_mean_ptr += row * running_mean_step
        tl.store(running_mean_ptr, (1 - momentum) * tl.load(running_mean_ptr) + momentum * mean)
    if HAS_VAR:
        unbiased = tl.sum(m2, axis=0) / (count - 1)
        running_var_ptr += row * running_var_step
        tl.store(running_var_ptr, (1 - momentum) * tl.load(running_var_ptr) + momentum * unbiased)


@triton.jit
def normalize_kernel(
    z_ptr, y_ptr, mean_ptr, var_ptr, gain_ptr, offset_ptr, numel, plane, outputs, eps,
    HAS_GAIN: tl.constexpr, HAS_OFFSET: tl.constexpr, BLOCK: tl.constexpr,
):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = at < numel
    z = tl.load(z_ptr + at, mask=mask, other=0.0)
    channel = at // plane % outputs
    y = normalized(z, channel, mask, mean_ptr, var_ptr, gain_ptr, offset_ptr, eps, HAS_GAIN, HAS_OFFSET)
    tl.store(y_ptr + at, y, mask=mask)


def pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)


def batch_statistics(z, running_mean, running_var, momentum):
    """Mean and variance of every channel of z; updates the running ones."""
    images, outputs, rows, columns = z.shape
    count = images * rows * columns
    pieces = triton.cdiv(count, PIECE)
    piece_mean = torch.empty((outputs, pieces), dtype=torch.float32, device=z.device)
    piece_m2 = torch.empty_like(piece_mean)
    mean = torch.empty((outputs,), dtype=torch.float32, device=z.device)
    var = torch.empty_like(mean)
    piece_kernel[(outputs * pieces,)](
        z, piece_mean, piece_m2, count, pieces, rows * columns, outputs, PIECE=PIECE, num_warps=8
    )
    combine_kernel[(outputs,)](
        piece_mean, piece_m2, mean, var, running_mean, running_var,
        0 if running_mean is None else running_mean.stride(0), 0 if running_var is None else running_var.stride(0),
        count, pieces, momentum,
        HAS_MEAN=running_mean is not None, HAS_VAR=running_var is not None, PIECE=PIECE, BLOCK=256,
    )
    return mean, var


def fused_relu_batch_norm_conv2d(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    batch, _, height, width = input.shape
    outputs, group_channels, r, s = weight.shape
    stride, pad, dilation = pair(stride), pair(padding), pair(dilation)
    out_height = (height + 2 * pad[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1
    out_width = (width + 2 * pad[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1
    y = torch.empty((batch, outputs, out_height, out_width), dtype=input.dtype, device=input.device)
    if y.numel() == 0:
        return y
    z = torch.empty_like(y, dtype=torch.float32) if training else y
    bn_weight = None if bn_weight is None else bn_weight.contiguous()
    bn_bias = None if bn_bias is None else bn_bias.contiguous()
    mean = None if running_mean is None else running_mean.contiguous()
    var = None if running_var is None else running_var.contiguous()
    affine = {"HAS_GAIN": bn_weight is not None, "HAS_OFFSET": bn_bias is not None}
    positions, group_outputs = batch * out_height * out_width, outputs // groups
    k_tile, p_tile = 64, 128
    grid = (triton.cdiv(group_outputs, k_tile) * triton.cdiv(positions, p_tile), groups)
    conv2d_kernel[grid](
        input, weight.contiguous(), weight if bias is None else bias.contiguous(), mean, var,
        bn_weight, bn_bias, z, height, width, out_height, out_width, group_channels, group_outputs, outputs,
        group_channels * r * s, positions, *input.stride(), *stride, *pad, *dilation, eps,
        FINISH=not training, **affine, R=r, S=s, HAS_BIAS=bias is not None,
        K_TILE=k_tile, P_TILE=p_tile, T_TILE=16, num_warps=8,
    )
    if training:
        mean, var = batch_statistics(z, running_mean, running_var, momentum)
        normalize_kernel[(triton.cdiv(y.numel(), BLOCK),)](
            z, y, mean, var, bn_weight, bn_bias, y.numel(), out_height * out_width, outputs, eps,
            **affine, BLOCK=BLOCK, num_warps=4,
        )
    return y
