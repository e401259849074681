"""Cross entropy of logits against class indices: the PyTorch reference."""
import torch
import torch.nn.functional as F


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """-log softmax(input)[target], weighted, without the ignored targets."""
    return F.cross_entropy(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction)


def magnitude(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """log(sum(exp)) and the target's logit as absolute values: written as the contract writes it, they cancel."""
    classes = 0 if input.dim() == 1 else 1
    size = torch.logsumexp(input, classes, keepdim=True).abs() + input.abs()
    return F.nll_loss(-size, target, weight=weight, ignore_index=ignore_index, reduction=reduction)
