"""Product of a tensor and a tensor or number: the PyTorch reference."""
import torch


def mul(input, other, out=None):
    """input * other, broadcast and promoted."""
    result = torch.mul(input, other)
    return result if out is None else out.copy_(result)
