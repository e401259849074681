"""Absolute value: the PyTorch reference."""
import torch


def abs(input_tensor, out=None):
    """|x|, elementwise."""
    result = torch.abs(input_tensor)
    return result if out is None else out.copy_(result)
