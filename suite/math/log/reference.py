"""Natural logarithm: the PyTorch reference."""
import torch


def log(input, out=None):
    """ln(x), elementwise."""
    result = torch.log(input)
    return result if out is None else out.copy_(result)
