"""Slices along a dimension: the PyTorch reference."""
import torch


def index_select(input, dim, index):
    """The slices of input along dim that index names."""
    return torch.index_select(input, dim, index)
