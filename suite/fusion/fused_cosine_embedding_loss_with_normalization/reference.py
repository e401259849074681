"""Cosine embedding loss of normalised rows: the PyTorch reference."""
import torch
import torch.nn.functional as F


def _reduced(x, reduction):
    return x.mean() if reduction == "mean" else x.sum() if reduction == "sum" else x


def fused_cosine_embedding_loss_with_normalization(input1, input2, target, margin=0, reduction="mean"):
    """1 - cos where the target is 1, max(0, cos - margin) where it is -1, else 0."""
    cosine = (F.normalize(input1, dim=1) * F.normalize(input2, dim=1)).sum(1)
    similar, dissimilar = 1 - cosine, (cosine - margin).clamp_min(0)
    loss = torch.where(target == 1, similar, torch.where(target == -1, dissimilar, torch.zeros_like(cosine)))
    return _reduced(loss, reduction)


def magnitude(input1, input2, target, margin=0, reduction="mean"):
    """The absolute values of the terms: 1 and the summands of the cosine."""
    return _reduced(1 + (F.normalize(input1, dim=1) * F.normalize(input2, dim=1)).abs().sum(1), reduction)
