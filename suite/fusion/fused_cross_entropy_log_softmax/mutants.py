"""Plausible wrong versions of cross entropy on log-softmax scores; each must be rejected."""
import torch
import torch.nn.functional as F


def _loss(scores, target, weight, ignore_index, reduction, label_smoothing):
    return F.cross_entropy(
        scores, target, weight=weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing
    )


def dim_ignored(input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Normalizes along the classes whatever dim says."""
    return _loss(input, target, weight, ignore_index, reduction, label_smoothing)


def classes_not_normalized(input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Takes the scores for log probabilities of the classes, also when they were normalized along another dim."""
    scores = F.log_softmax(input, dim=dim)
    return F.nll_loss(scores, target, weight=weight, ignore_index=ignore_index, reduction=reduction)


def softmax_scores(input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Feeds probabilities, not their logarithms."""
    return _loss(F.softmax(input, dim=dim), target, weight, ignore_index, reduction, label_smoothing)


def weight_ignored(input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Drops the class weights."""
    return _loss(F.log_softmax(input, dim=dim), target, None, ignore_index, reduction, label_smoothing)


def smoothing_ignored(input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Drops label_smoothing."""
    return _loss(F.log_softmax(input, dim=dim), target, weight, ignore_index, reduction, 0.0)


def smoothing_not_weighted(input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """The smoothed share of the loss leaves out the weights of the classes."""
    scores = F.log_softmax(F.log_softmax(input, dim=dim), dim=1)
    hard = F.nll_loss(scores, target, weight=weight, ignore_index=ignore_index, reduction="none")
    used = target != ignore_index
    losses = (1 - label_smoothing) * hard + torch.where(used, -label_smoothing * scores.mean(1), 0.0)
    if reduction == "none":
        return losses
    safe = torch.where(used, target, 0)
    share = used.to(input.dtype) if weight is None else torch.where(used, weight[safe], 0.0)
    return losses.sum() / (share.sum() if reduction == "mean" else 1)


def smoothing_over_other_classes(
    input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0
):
    """Spreads label_smoothing over the C - 1 wrong classes instead of all C."""
    classes = input.shape[1]
    share = label_smoothing * classes / max(classes - 1, 1)
    return _loss(F.log_softmax(input, dim=dim), target, weight, ignore_index, reduction, min(share, 1.0))


def ignored_positions_smoothed(
    input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0
):
    """Ignored positions keep their smoothed share."""
    scores = F.log_softmax(F.log_softmax(input, dim=dim), dim=1)
    lost = _loss(scores, target, weight, ignore_index, "none", label_smoothing)
    w = torch.ones(input.shape[1], dtype=input.dtype, device=input.device) if weight is None else weight
    shape = [1, -1] + [1] * (input.dim() - 2)
    extra = -label_smoothing * (scores * w.view(shape)).mean(1)
    losses = torch.where(target == ignore_index, extra, lost)
    if reduction != "mean":
        return losses if reduction == "none" else losses.sum()
    used = target != ignore_index
    return losses.sum() / torch.where(used, w[torch.where(used, target, 0)], 0.0).sum()


def always_mean(input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Averages whatever reduction is asked for."""
    return _loss(F.log_softmax(input, dim=dim), target, weight, ignore_index, "mean", label_smoothing)


def mean_over_all_positions(
    input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0
):
    """Divides by the number of positions, ignored ones and weights notwithstanding."""
    losses = _loss(F.log_softmax(input, dim=dim), target, weight, ignore_index, "none", label_smoothing)
    return {"none": losses, "sum": losses.sum(), "mean": losses.mean()}[reduction]


def only_default_ignored(input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Ignores -100 only; another ignored index counts as its own class or as class 0."""
    classes = input.shape[1]
    known = torch.where((target >= classes) | ((target < 0) & (target != -100)), 0, target)
    return _loss(F.log_softmax(input, dim=dim), known, weight, -100, reduction, label_smoothing)


def no_max_subtraction(input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """log(sum(exp(x))) as it stands: overflows and underflows."""
    scores = input - torch.log(torch.exp(input).sum(dim, keepdim=True))
    return _loss(scores, target, weight, ignore_index, reduction, label_smoothing)


def tail_of_classes_missing(
    input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0
):
    """Normalizes over the first multiple of 64 classes only."""
    classes = input.shape[1] // 64 * 64 or input.shape[1]
    scores = F.log_softmax(input, dim=dim)
    scores = scores - torch.logsumexp(scores[:, :classes], 1, keepdim=True)
    if label_smoothing > 0:
        return _loss(scores, target, weight, ignore_index, reduction, label_smoothing)
    return F.nll_loss(scores, target, weight=weight, ignore_index=ignore_index, reduction=reduction)
