"""Cosine: the PyTorch reference."""
import torch


def cos(input_tensor):
    """cos(x), elementwise."""
    return torch.cos(input_tensor)
