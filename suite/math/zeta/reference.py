"""Hurwitz zeta function: the PyTorch reference."""
import torch


def zeta(input, other, out=None):
    """The sum over k >= 0 of (other + k)^-input, elementwise."""
    result = torch.special.zeta(input, other)
    return result if out is None else out.copy_(result)
