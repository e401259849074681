"""Index of the maximum: the PyTorch reference."""
import torch


def argmax(input_tensor, dim, keepdim=False):
    """The smallest index of the largest element along `dim` (flattened when it is None); NaN is largest."""
    return torch.argmax(input_tensor, dim=dim, keepdim=keepdim)
