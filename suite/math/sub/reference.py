"""Difference of a tensor and a scaled tensor or number: the PyTorch reference."""
import torch


def sub(input, other, *, alpha=1, out=None):
    """input - alpha * other, broadcast."""
    result = torch.sub(input, other, alpha=alpha)
    return result if out is None else out.copy_(result)
