"""Mean squared error: the PyTorch reference."""
import torch
import torch.nn.functional as F


def mse_loss(input, target, reduction="mean"):
    """(input - target)^2, as it is, summed or averaged."""
    input, target = torch.broadcast_tensors(input, target)
    return F.mse_loss(input, target, reduction=reduction)
