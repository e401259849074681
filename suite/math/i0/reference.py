"""Modified Bessel function I0: the PyTorch reference."""
import torch


def i0(input_tensor, out=None):
    """I0(x), elementwise."""
    result = torch.special.i0(input_tensor)
    return result if out is None else out.copy_(result)
