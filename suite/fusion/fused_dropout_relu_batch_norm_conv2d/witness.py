"""Two-dimensional convolution, batch normalization, ReLU and dropout in Triton.

The convolution is an implicit matrix product: for each group, weight is a matrix (output channels, terms) with
terms = channels * R * S, and the input a matrix (terms, positions) whose elements are gathered from the image while the
product runs; it is stored in float32. Means and squared deviations of pieces of each channel are combined by Chan's
formula, which never subtracts large squares. A last kernel normalizes, cuts at 0 and drops: its mask comes from a
counter-based generator with a new seed every call and one counter an element.
"""
import torch
import triton
import triton.language as tl

PIECE = 4096  # values of a channel that one program reduces
BLOCK = 1024  # values that one program normalizes


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
    piece_mean_ptr, piece_m2_ptr, mean_ptr, scale_ptr, count, pieces, eps, PIECE: tl.constexpr, BLOCK: tl.constexpr
):
    """One program a channel: its mean, and one over its deviation."""
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
    tl.store(scale_ptr + row, 1.0 / tl.sqrt(variance + eps))


@triton.jit
def normalize_relu_dropout_kernel(
    z_ptr, y_ptr, mean_ptr, scale_ptr, numel, plane, outputs, p, kept_scale, seed,
    DROP: tl.constexpr, BLOCK: tl.constexpr,
):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = at < numel
    channel = at // plane % outputs
    z = tl.load(z_ptr + at, mask=mask, other=0.0) - tl.load(mean_ptr + channel, mask=mask, other=0.0)
    scale = tl.load(scale_ptr + channel, mask=mask, other=0.0)
    y = tl.maximum(z * scale, 0.0, propagate_nan=tl.PropagateNan.ALL)
    if DROP:
        y = tl.where(tl.rand(seed, at.to(tl.int32)) >= p, y * kept_scale, 0.0)
    tl.store(y_ptr + at, y, mask=mask)


def pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)


def convolve(input, weight, bias, stride, pad, dilation, groups):
    """The convolution in float32."""
    batch, _, height, width = input.shape
    outputs, group_channels, r, s = weight.shape
    out_height = (height + 2 * pad[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1
    out_width = (width + 2 * pad[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1
    z = torch.empty((batch, outputs, out_height, out_width), dtype=torch.float32, device=input.device)
    positions, group_outputs = batch * out_height * out_width, outputs // groups
    k_tile, p_tile = 64, 128
    grid = (triton.cdiv(group_outputs, k_tile) * triton.cdiv(positions, p_tile), groups)
    conv2d_kernel[grid](
        input, weight.contiguous(), weight if bias is None else bias.contiguous(), z, height, width,
        out_height, out_width, group_channels, group_outputs, outputs, group_channels * r * s, positions,
        *input.stride(), *stride, *pad, *dilation, R=r, S=s, HAS_BIAS=bias is not None,
        K_TILE=k_tile, P_TILE=p_tile, T_TILE=16, num_warps=8,
    )
    return z


def fused_dropout_relu_batch_norm_conv2d(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    z = convolve(input, weight, bias, pair(stride), pair(padding), pair(dilation), groups)
    y = torch.empty_like(z, dtype=input.dtype)
    images, outputs, rows, columns = z.shape
    count, plane = images * rows * columns, rows * columns
    pieces = triton.cdiv(count, PIECE)
    piece_mean = torch.empty((outputs, pieces), dtype=torch.float32, device=z.device)
    piece_m2 = torch.empty_like(piece_mean)
    mean = torch.empty((outputs,), dtype=torch.float32, device=z.device)
    scale = torch.empty_like(mean)
    piece_kernel[(outputs * pieces,)](z, piece_mean, piece_m2, count, pieces, plane, outputs, PIECE=PIECE, num_warps=8)
    combine_kernel[(outputs,)](piece_mean, piece_m2, mean, scale, count, pieces, 1e-5, PIECE=PIECE, BLOCK=256)
    drop = training and p > 0
    seed = int(torch.randint(2**31 - 1, (), device="cpu")) if drop else 0
    kept_scale = 1 / (1 - p) if p < 1 else 0.0
    normalize_relu_dropout_kernel[(triton.cdiv(y.numel(), BLOCK),)](
        z, y, mean, scale, y.numel(), plane, outputs, float(p), float(kept_scale), seed,
        DROP=drop, BLOCK=BLOCK, num_warps=4,
    )
    return y
