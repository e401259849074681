"""Expand, then choose by a condition: the PyTorch reference."""
import torch


def expand_where(input, target_sizes, cond, other):
    """Elements of input, expanded, where cond is true, and of other elsewhere."""
    return torch.where(cond, input.expand(target_sizes), other)
