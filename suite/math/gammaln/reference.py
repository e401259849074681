"""Logarithm of |Gamma|: the PyTorch reference."""
import torch


def gammaln(input, out=None):
    """log |Gamma(x)|, elementwise."""
    result = torch.special.gammaln(input)
    return result if out is None else out.copy_(result)
