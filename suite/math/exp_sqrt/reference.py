"""Square root of the exponential: the PyTorch reference."""
import torch


def exp_sqrt(input, out=None):
    """sqrt(exp(input))."""
    result = torch.sqrt(torch.exp(input))
    return result if out is None else out.copy_(result)
