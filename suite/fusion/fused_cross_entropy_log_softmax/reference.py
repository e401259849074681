"""Cross entropy of log-softmax scores against class indices: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_cross_entropy_log_softmax(
    input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0
):
    """log_softmax along `dim`, then the cross entropy, whose classes lie along dimension 1."""
    scores = F.log_softmax(input, dim=dim)
    return F.cross_entropy(
        scores, target, weight=weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing
    )


def magnitude(input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """log(sum(exp)) and the logit as absolute values, of the target and, smoothed, of the largest class: they cancel."""
    size = torch.logsumexp(input, dim, keepdim=True).abs() + input.abs()
    size = torch.where(size.isfinite(), size, 0)  # scores of -inf that no target is
    classes = 0 if input.dim() == 1 else 1
    largest = size.amax(classes, keepdim=True).expand_as(size)
    terms = (1 - label_smoothing) * size + label_smoothing * largest
    return F.nll_loss(-terms, target, weight=weight, ignore_index=ignore_index, reduction=reduction)
