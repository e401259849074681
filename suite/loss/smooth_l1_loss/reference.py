"""Smooth L1 loss: the PyTorch reference."""
import torch
import torch.nn.functional as F


def smooth_l1_loss(input, target, beta=1.0, reduction="mean"):
    """A parabola up to |input - target| = beta, a line beyond; as it is, summed or averaged."""
    input, target = torch.broadcast_tensors(input, target)
    return F.smooth_l1_loss(input, target, reduction=reduction, beta=beta)
