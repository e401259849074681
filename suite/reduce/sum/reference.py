"""Sum over dimensions: the PyTorch reference."""
import torch


def sum(input, dim, keepdim=False, dtype=None):
    """The sum of `input` over `dim`, all dimensions when it is None."""
    dim = tuple(range(input.dim())) if dim is None else dim
    return torch.sum(input, dim=dim, keepdim=keepdim, dtype=dtype)


def magnitude(input, dim, keepdim=False, dtype=None):
    """The sum of absolute values."""
    return sum(input.abs() if input.is_floating_point() else input, dim, keepdim, dtype)
