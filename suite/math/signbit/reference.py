"""Sign bit: the PyTorch reference."""
import torch


def signbit(input, out=None):
    """True where the sign bit of input is set."""
    result = torch.signbit(input)
    return result if out is None else out.copy_(result)
