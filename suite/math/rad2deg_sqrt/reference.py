"""Degrees and square root: the PyTorch reference."""
import torch


def rad2deg_sqrt(input):
    """The pair (rad2deg(input), sqrt(input)), elementwise."""
    return torch.rad2deg(input), torch.sqrt(input)
