"""Reference of batch_norm: torch.nn.functional.batch_norm."""
import torch
import torch.nn.functional as F


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    return F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


def magnitude(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    """How far rounding of the elements, of the mean and of the deviation moves each output."""
    shape = [1, -1] + [1] * (input.dim() - 2)
    if training:
        moved = normalized_magnitude(input, input.abs(), [d for d in range(input.dim()) if d != 1], eps)
    else:
        moved = (input.abs() + running_mean.abs().reshape(shape)) / torch.sqrt(running_var + eps).reshape(shape)
    moved = moved if weight is None else moved * weight.abs().reshape(shape)
    moved = moved if bias is None else moved + bias.abs().reshape(shape)
    return moved


def normalized_magnitude(z, terms, dims, eps):
    """What normalizing z over dims makes of errors as large as terms: of z itself, of the mean and of the deviation."""
    spread = torch.sqrt(z.var(dims, correction=0, keepdim=True) + eps)
    y = (z - z.mean(dims, keepdim=True)) / spread
    typical = torch.sqrt((terms * terms).mean(dims, keepdim=True))
    return (terms + typical * (1 + y.abs())) / spread + y.abs()
