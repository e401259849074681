"""exp(sqrt(x)): the PyTorch reference."""
import torch


def sqrt_exp(input, out=None):
    """exp(sqrt(input)); into `out` when it is given."""
    return torch.exp(torch.sqrt(input), out=out)
