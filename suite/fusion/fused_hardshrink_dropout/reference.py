"""Dropout, then hard shrinkage: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_hardshrink_dropout(input, p=0.5, training=True, inplace=False, lambd=0.5):
    """hardshrink(dropout(input, p), lambd)."""
    return F.hardshrink(F.dropout(input, p=p, training=training, inplace=inplace), lambd)


def survivors(input, p=0.5, training=True, inplace=False, lambd=0.5):
    """What an element that dropout keeps becomes (with p = 1 none is kept)."""
    if training and p == 1:
        return torch.zeros_like(input)
    return F.hardshrink(input / (1 - p) if training else input, lambd)
