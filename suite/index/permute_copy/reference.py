"""Permuted copy: the PyTorch reference."""
import torch


def permute_copy(input, dims):
    """A copy of input with its dimensions in the order dims, in storage of its own."""
    return input.permute(dims).contiguous().clone(memory_format=torch.contiguous_format)
