"""Batch normalization, hard sigmoid: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_hardsigmoid_batch_norm(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False
):
    """hardsigmoid(batch_norm(x))."""
    y = F.batch_norm(x, running_mean, running_var, weight, bias, training, momentum, eps)
    return F.hardsigmoid(y, inplace=inplace)


def magnitude(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False
):
    """How far rounding of the elements, of the mean and of the deviation moves each output; the slope is at most 1/6."""
    shape = [1, -1] + [1] * (x.dim() - 2)
    if training:
        moved = normalized_magnitude(x, x.abs(), [d for d in range(x.dim()) if d != 1], eps)
    else:
        moved = (x.abs() + running_mean.abs().reshape(shape)) / torch.sqrt(running_var + eps).reshape(shape)
    moved = moved if weight is None else moved * weight.abs().reshape(shape)
    moved = moved if bias is None else moved + bias.abs().reshape(shape)
    return moved.masked_fill(moved.isinf(), 0) / 6  # exact at the infinities


def normalized_magnitude(z, terms, dims, eps):
    """What normalizing z over dims makes of errors as large as terms: of z itself, of the mean and of the deviation."""
    spread = torch.sqrt(z.var(dims, correction=0, keepdim=True) + eps)
    y = (z - z.mean(dims, keepdim=True)) / spread
    typical = torch.sqrt((terms * terms).mean(dims, keepdim=True))
    return (terms + typical * (1 + y.abs())) / spread + y.abs()
