"""Bitwise AND: the PyTorch reference."""
import torch


def bitwise_and(input, other, out=None):
    """input & other, broadcast and promoted."""
    result = torch.bitwise_and(input, other)
    return result if out is None else out.copy_(result)
