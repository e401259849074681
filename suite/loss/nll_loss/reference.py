"""Negative log likelihood of class indices: the PyTorch reference."""
import torch.nn.functional as F


def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """-input[target], weighted, without the ignored targets."""
    return F.nll_loss(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction)


def magnitude(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """The same with absolute values, which do not cancel."""
    return F.nll_loss(-input.abs(), target, weight=weight, ignore_index=ignore_index, reduction=reduction)
