"""Elements where a mask is true: the PyTorch reference."""
import torch


def masked_select(input, mask):
    """The elements of input at which mask is true, in row-major order."""
    return torch.masked_select(input, mask)
