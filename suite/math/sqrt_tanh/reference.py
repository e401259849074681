"""tanh(sqrt(x)): the PyTorch reference."""
import torch


def sqrt_tanh(input, out=None):
    """tanh(sqrt(input)), NaN below zero."""
    result = torch.tanh(torch.sqrt(input))
    return result if out is None else out.copy_(result)
