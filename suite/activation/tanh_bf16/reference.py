"""Hyperbolic tangent on bfloat16: the PyTorch reference."""
import torch


def tanh_bf16(input):
    """tanh(input)."""
    return torch.tanh(input)
