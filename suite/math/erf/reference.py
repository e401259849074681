"""Error function: the PyTorch reference."""
import torch


def erf(input_tensor):
    """erf(x), elementwise."""
    return torch.erf(input_tensor)
