"""Cross entropy of logits against class indices: the PyTorch reference."""
import torch.nn.functional as F


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """-log softmax(input)[target], weighted, without the ignored targets."""
    return F.cross_entropy(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction)
