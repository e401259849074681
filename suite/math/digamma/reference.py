"""Digamma function: the PyTorch reference."""
import torch


def digamma(input_tensor):
    """The derivative of log Gamma at each element."""
    return torch.special.digamma(input_tensor)
