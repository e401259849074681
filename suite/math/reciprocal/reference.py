"""Reciprocal: the PyTorch reference."""
import torch


def reciprocal(input, out=None):
    """1 / x, elementwise."""
    result = torch.reciprocal(input)
    return result if out is None else out.copy_(result)
