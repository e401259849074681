"""Reciprocal square root: the PyTorch reference."""
import torch


def rsqrt(input, out=None):
    """1 / sqrt(x), elementwise."""
    result = torch.rsqrt(input)
    return result if out is None else out.copy_(result)
