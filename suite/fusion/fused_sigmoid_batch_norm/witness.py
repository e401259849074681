"""Batch normalization and sigmoid in Triton.

Training: statistics of pieces of a channel, combined per channel without cancellation. Then, as in inference, one
elementwise pass that normalizes and activates.
"""
import torch
import triton
import triton.language as tl

PIECE = 4096  # elements of one channel that one program reduces
BLOCK = 1024  # elements that one program normalizes


@triton.jit
def piece_statistics(x_ptr, mean_ptr, m2_ptr, count, S, pieces, stride_n, stride_c, stride_s, PIECE: tl.constexpr):
    """Mean and sum of squared deviations of one piece of one channel, both passes in registers."""
    piece, channel = tl.program_id(0), tl.program_id(1)
    index = piece * PIECE + tl.arange(0, PIECE)  # runs over (n, s) of this channel
    valid = index < count
    n, s = (index // S).to(tl.int64), index % S
    x = tl.load(x_ptr + n * stride_n + channel * stride_c + s * stride_s, mask=valid, other=0.0).to(tl.float32)
    here = min(count - piece * PIECE, PIECE)
    mean = tl.sum(x, axis=0) / here
    deviation = tl.where(valid, x - mean, 0.0)
    tl.store(mean_ptr + channel * pieces + piece, mean)
    tl.store(m2_ptr + channel * pieces + piece, tl.sum(deviation * deviation, axis=0))


@triton.jit
def combine_pieces(
    piece_mean_ptr, piece_m2_ptr, mean_ptr, var_ptr, running_mean_ptr, running_var_ptr, running_mean_step, running_var_step,
    count, pieces, momentum,
    PIECE: tl.constexpr, BLOCK: tl.constexpr, HAS_RUNNING: tl.constexpr,
):
    """One program per channel: Chan's parallel variance formula over its pieces, and the running statistics."""
    channel = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, pieces, BLOCK):
        piece = start + tl.arange(0, BLOCK)
        size = tl.minimum(count - piece * PIECE, PIECE)
        total += tl.load(piece_mean_ptr + channel * pieces + piece, mask=piece < pieces, other=0.0) * size
    mean = tl.sum(total, axis=0) / count
    m2 = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, pieces, BLOCK):
        piece = start + tl.arange(0, BLOCK)
        valid = piece < pieces
        size = tl.minimum(count - piece * PIECE, PIECE)
        shift = tl.load(piece_mean_ptr + channel * pieces + piece, mask=valid, other=0.0) - mean
        inner = tl.load(piece_m2_ptr + channel * pieces + piece, mask=valid, other=0.0)
        m2 += tl.where(valid, inner + shift * shift * size, 0.0)
    sum_of_squares = tl.sum(m2, axis=0)
    tl.store(mean_ptr + channel, mean)
    tl.store(var_ptr + channel, sum_of_squares / count)
    if HAS_RUNNING:
        running_mean_ptr += channel * running_mean_step
        running_var_ptr += channel * running_var_step
        old_mean, old_var = tl.load(running_mean_ptr), tl.load(running_var_ptr)
        tl.store(running_mean_ptr, (1 - momentum) * old_mean + momentum * mean)
        tl.store(running_var_ptr, (1 - momentum) * old_var + momentum * sum_of_squares / (count - 1))


@triton.jit
def normalize_activate(
    x_ptr, y_ptr, mean_ptr, var_ptr, weight_ptr, bias_ptr, numel, C, S, eps,
    x_stride_n, x_stride_c, x_stride_s, y_stride_n, y_stride_c, y_stride_s,
    HAS_WEIGHT: tl.constexpr, HAS_BIAS: tl.constexpr, BLOCK: tl.constexpr,
):
    index = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    valid = index < numel
    row, s = index // S, index % S
    n, c = row // C, row % C
    x = tl.load(x_ptr + n * x_stride_n + c * x_stride_c + s * x_stride_s, mask=valid, other=0.0).to(tl.float32)
    mean = tl.load(mean_ptr + c, mask=valid, other=0.0)
    var = tl.load(var_ptr + c, mask=valid, other=1.0)
    y = (x - mean) / tl.sqrt(var + eps)
    if HAS_WEIGHT:
        y *= tl.load(weight_ptr + c, mask=valid, other=1.0)
    if HAS_BIAS:
        y += tl.load(bias_ptr + c, mask=valid, other=0.0)
    y = 1.0 / (1.0 + tl.exp(-y))
    tl.store(y_ptr + n * y_stride_n + c * y_stride_c + s * y_stride_s, y, mask=valid)


def fused_sigmoid_batch_norm(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05
):
    N, C = input.shape[:2]
    x = input.reshape(N, C, -1)
    S = x.shape[2]
    y = torch.empty_like(x)
    weight = None if weight is None else weight.contiguous()
    bias = None if bias is None else bias.contiguous()
    if training:
        count = N * S
        pieces = triton.cdiv(count, PIECE)
        piece_mean = torch.empty((C, pieces), dtype=torch.float32, device=input.device)
        piece_m2 = torch.empty_like(piece_mean)
        mean = torch.empty((C,), dtype=torch.float32, device=input.device)
        var = torch.empty_like(mean)
        piece_statistics[(pieces, C)](
            x, piece_mean, piece_m2, count, S, pieces, *x.stride(), PIECE=PIECE, num_warps=8
        )
        combine_pieces[(C,)](
            piece_mean, piece_m2, mean, var, running_mean, running_var,
            0 if running_mean is None else running_mean.stride(0), 0 if running_var is None else running_var.stride(0),
            count, pieces, momentum,
            PIECE=PIECE, BLOCK=256, HAS_RUNNING=running_mean is not None,
        )
    else:
        mean, var = running_mean.contiguous(), running_var.contiguous()
    normalize_activate[(triton.cdiv(y.numel(), BLOCK),)](
        x, y, mean, var, weight, bias, y.numel(), C, S, eps, *x.stride(), *y.stride(),
        HAS_WEIGHT=weight is not None, HAS_BIAS=bias is not None, BLOCK=BLOCK,
    )
    return y.view(input.shape)
