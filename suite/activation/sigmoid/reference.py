"""Logistic function: the PyTorch reference."""
import torch


def sigmoid(input, out=None):
    """1 / (1 + exp(-input))."""
    result = torch.sigmoid(input)
    return result if out is None else out.copy_(result)
