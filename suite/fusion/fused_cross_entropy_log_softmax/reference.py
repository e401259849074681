"""Cross entropy of log-softmax scores against class indices: the PyTorch reference."""
import torch.nn.functional as F


def fused_cross_entropy_log_softmax(
    input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0
):
    """log_softmax along `dim`, then the cross entropy, whose classes lie along dimension 1."""
    scores = F.log_softmax(input, dim=dim)
    return F.cross_entropy(
        scores, target, weight=weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing
    )
