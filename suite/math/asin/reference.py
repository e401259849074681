"""Arcsine: the PyTorch reference."""
import torch


def asin(input_tensor):
    """asin(x), elementwise."""
    return torch.asin(input_tensor)
