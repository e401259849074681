"""Mean over dimensions: the PyTorch reference."""
import torch


def mean(input_tensor, dim, keepdim=False, dtype=None, out=None):
    """The mean of `input_tensor` over `dim`, all dimensions when it is None."""
    dim = tuple(range(input_tensor.dim())) if dim is None else dim
    return torch.mean(input_tensor, dim=dim, keepdim=keepdim, dtype=dtype, out=out)


def magnitude(input_tensor, dim, keepdim=False, dtype=None, out=None):
    """The mean of absolute values."""
    return mean(input_tensor.abs(), dim, keepdim, dtype)
