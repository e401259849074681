"""Plausible wrong implementations of cross entropy; each must be rejected."""
import torch
import torch.nn.functional as F


def weight_ignored(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Drops the class weights."""
    return F.cross_entropy(input, target, ignore_index=ignore_index, reduction=reduction)


def always_mean(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Averages whatever reduction is asked for."""
    return F.cross_entropy(input, target, weight=weight, ignore_index=ignore_index)


def mean_over_all_positions(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Divides by the number of positions, ignored ones and weights notwithstanding."""
    losses = F.cross_entropy(input, target, weight=weight, ignore_index=ignore_index, reduction="none")
    return {"none": losses, "sum": losses.sum(), "mean": losses.mean()}[reduction]


def mean_not_weighted(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Divides the weighted sum by the count of used positions, not by their weights."""
    if reduction != "mean":
        return F.cross_entropy(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction)
    losses = F.cross_entropy(input, target, weight=weight, ignore_index=ignore_index, reduction="sum")
    return losses / (target != ignore_index).sum()


def only_default_ignored(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Ignores -100 only; another ignore_index is treated as class 0 or as itself."""
    classes = input.shape[min(1, input.dim() - 1)]
    known = target.masked_fill((target < 0) | (target >= classes), -100)
    return F.cross_entropy(input, known, weight=weight, reduction=reduction)


def no_max_subtraction(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """log(sum(exp(x))) as it stands: overflows and underflows."""
    dim = min(1, input.dim() - 1)
    log_probabilities = input - torch.log(torch.exp(input).sum(dim, keepdim=True))
    return F.nll_loss(log_probabilities, target, weight=weight, ignore_index=ignore_index, reduction=reduction)


def classes_in_last_dim(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Takes the last dimension of images for the classes when it normalises."""
    log_probabilities = torch.log_softmax(input, -1)
    return F.nll_loss(log_probabilities, target, weight=weight, ignore_index=ignore_index, reduction=reduction)


def first_block_of_classes(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Sums exp over the first 4096 classes only."""
    dim = min(1, input.dim() - 1)
    norm = torch.logsumexp(input.narrow(dim, 0, min(4096, input.shape[dim])), dim, keepdim=True)
    return F.nll_loss(input - norm, target, weight=weight, ignore_index=ignore_index, reduction=reduction)


def epsilon_in_logarithm(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """log(softmax + 1e-8): small probabilities are cut off."""
    log_probabilities = torch.log(torch.softmax(input, min(1, input.dim() - 1)) + 1e-8)
    return F.nll_loss(log_probabilities, target, weight=weight, ignore_index=ignore_index, reduction=reduction)


def stops_at_65536(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    result = F.cross_entropy(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction).contiguous()
    result.view(-1)[65536:] = 0
    return result


def nan_read_as_zero(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """A NaN among the logits counts as 0."""
    input = torch.where(input.isnan(), torch.zeros_like(input), input)
    return F.cross_entropy(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction)
