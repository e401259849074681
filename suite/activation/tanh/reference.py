"""Hyperbolic tangent: the PyTorch reference."""
import torch


def tanh(input_tensor, out_tensor=None):
    """tanh(input_tensor)."""
    result = torch.tanh(input_tensor)
    return result if out_tensor is None else out_tensor.copy_(result)
