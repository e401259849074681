"""Logarithm of 1 + x: the PyTorch reference."""
import torch


def log1p(input, out=None):
    """ln(1 + x), elementwise."""
    result = torch.log1p(input)
    return result if out is None else out.copy_(result)
