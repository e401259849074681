"""Round toward zero: the PyTorch reference."""
import torch


def trunc(input, out=None):
    """x without its fraction."""
    result = torch.trunc(input)
    return result if out is None else out.copy_(result)
