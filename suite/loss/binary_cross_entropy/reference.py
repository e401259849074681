"""Binary cross entropy of probabilities: the PyTorch reference."""
import torch.nn.functional as F


def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    """-weight * (target log(input) + (1 - target) log(1 - input)), as it is, summed or averaged."""
    return F.binary_cross_entropy(input, target, weight=weight, reduction=reduction)
