"""Minimum and its index: the PyTorch reference."""
import torch


def min(input_tensor, dim, keepdim=False):
    """The smallest element along `dim` and its smallest index; NaN is smallest."""
    values, indices = torch.min(input_tensor, dim=dim, keepdim=keepdim)
    return values, indices
