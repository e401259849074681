"""Round down: the PyTorch reference."""
import torch


def floor(input, out=None):
    """Largest whole number not above x."""
    result = torch.floor(input)
    return result if out is None else out.copy_(result)
