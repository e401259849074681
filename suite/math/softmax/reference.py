"""Softmax along one dimension: the PyTorch reference."""
import torch


def softmax(input, dim, dtype=None):
    """exp(input) / sum of exp(input) along `dim`, computed in `dtype` when it is given."""
    return torch.softmax(input, dim, dtype=dtype)
