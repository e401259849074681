"""Plausible wrong implementations of the negative log likelihood; each must be rejected."""
import torch
import torch.nn.functional as F


def _losses(input, target, weight, ignore_index):
    return F.nll_loss(input, target, weight=weight, ignore_index=ignore_index, reduction="none")


def always_mean(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Averages whatever reduction is asked for."""
    return F.nll_loss(input, target, weight=weight, ignore_index=ignore_index)


def weight_ignored(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Drops the class weights."""
    return F.nll_loss(input, target, ignore_index=ignore_index, reduction=reduction)


def mean_over_all_positions(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Divides by the number of positions, ignored ones and weights notwithstanding."""
    losses = _losses(input, target, weight, ignore_index)
    return {"none": lambda: losses, "sum": losses.sum, "mean": losses.mean}[reduction]()


def mean_not_weighted(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Divides the weighted sum by the count of used positions."""
    losses = _losses(input, target, weight, ignore_index)
    used = (target != ignore_index).sum()
    return {"none": lambda: losses, "sum": losses.sum, "mean": lambda: losses.sum() / used}[reduction]()


def only_default_ignored(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Ignores -100 and what is no class; an ignored class counts."""
    classes = input.shape[min(1, input.dim() - 1)]
    known = target.masked_fill((target < 0) | (target >= classes), -100)
    return F.nll_loss(input, known, weight=weight, reduction=reduction)


def nothing_ignored(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Ignored targets are taken for class 0."""
    classes = input.shape[min(1, input.dim() - 1)]
    known = target.masked_fill((target < 0) | (target >= classes), 0)
    return F.nll_loss(input, known, weight=weight, ignore_index=-1000, reduction=reduction)


def normalizes_first(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """A log softmax comes first, as in cross entropy."""
    input = torch.log_softmax(input, min(1, input.dim() - 1))
    return F.nll_loss(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction)


def takes_logarithm(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Takes input for probabilities."""
    input = torch.log(input.abs())
    return F.nll_loss(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction)


def sign_forgotten(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """The likelihood, not its negative."""
    return -F.nll_loss(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction)


def one_hot_product(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Multiplies with a one-hot vector and sums: 0 * inf and 0 * NaN count."""
    dim = min(1, input.dim() - 1)
    classes = input.shape[dim]
    known = torch.where((target < 0) | (target >= classes), 0, target)
    hot = torch.zeros_like(input).scatter_(dim, known.unsqueeze(dim), 1.0)
    picked = (input * hot).sum(dim)
    scale = torch.ones_like(picked) if weight is None else weight[known]
    scale = torch.where(target == ignore_index, torch.zeros_like(scale), scale)
    losses = torch.where(target == ignore_index, torch.zeros_like(picked), -scale * picked)
    return {"none": lambda: losses, "sum": losses.sum, "mean": lambda: losses.sum() / scale.sum()}[reduction]()


def one_block(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """One program of 4096 positions and no grid."""
    if target.numel() > 4096:
        target = target.clone()
        target.view(-1)[4096:] = ignore_index
    return F.nll_loss(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction)


def accumulates_in_half(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """The running sum has input's dtype."""
    losses = _losses(input, target, weight, ignore_index)
    if reduction != "sum" or input.dtype != torch.float16:
        return F.nll_loss(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction)
    total = torch.zeros((), dtype=input.dtype, device=input.device)
    for one in losses.flatten():
        total = total + one
    return total


def sum_ends_early(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """64 programs of 1024 positions add up; what lies beyond does not count."""
    if reduction != "none" and target.dim() == 1:
        input, target = input[:65536], target[:65536]
    return F.nll_loss(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction)


def nan_read_as_zero(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """A NaN that is chosen counts as 0."""
    input = torch.where(input.isnan(), torch.zeros_like(input), input)
    return F.nll_loss(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction)
