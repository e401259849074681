"""Sum of a tensor and a scaled tensor or number: the PyTorch reference."""
import torch


def add(input, other, alpha=1, out=None):
    """input + alpha * other, broadcast."""
    result = torch.add(input, other, alpha=alpha)
    return result if out is None else out.copy_(result)
