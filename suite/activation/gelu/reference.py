"""GELU, exact or tanh form: the PyTorch reference."""
import torch


def gelu(input, approximate="none"):
    """x * Phi(x), or its tanh approximation."""
    return torch.nn.functional.gelu(input, approximate=approximate)
