"""GELU on float16: the PyTorch reference."""
import torch


def gelu_fp16(input, approximate="none"):
    """x * Phi(x), or its tanh approximation."""
    return torch.nn.functional.gelu(input, approximate=approximate)
