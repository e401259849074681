"""Power: the PyTorch reference."""
import torch


def pow(input_tensor, exponent, out=None):
    """input_tensor ** exponent, broadcast and promoted."""
    result = torch.pow(input_tensor, exponent)
    return result if out is None else out.copy_(result)
