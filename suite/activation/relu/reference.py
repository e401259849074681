"""Rectified linear unit: the PyTorch reference."""
import torch


def relu(input, inplace=False):
    """max(input, 0), in place if asked for."""
    return torch.relu_(input) if inplace else torch.relu(input)
