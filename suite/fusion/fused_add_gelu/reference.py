"""GELU of input + alpha * other: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_add_gelu(input, other, alpha=1, approximate="none", out=None):
    """gelu(input + alpha * other), exact or in its tanh form."""
    result = F.gelu(torch.add(input, other, alpha=alpha), approximate=approximate)
    return result if out is None else out.copy_(result)
