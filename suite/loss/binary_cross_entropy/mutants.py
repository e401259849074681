"""Plausible wrong implementations of binary cross entropy; each must be rejected."""
import torch


def _reduced(losses, reduction):
    return {"none": lambda: losses, "sum": losses.sum, "mean": losses.mean}[reduction]()


def _checked(input, target):
    if input.shape != target.shape:
        raise ValueError("shapes differ")


def _losses(input, target, weight):
    _checked(input, target)
    losses = -(target * torch.log(input).clamp(min=-100) + (1 - target) * torch.log(1 - input).clamp(min=-100))
    return losses if weight is None else losses * weight


def always_mean(input, target, weight=None, reduction="mean"):
    """Averages whatever reduction is asked for."""
    return _losses(input, target, weight).mean()


def sum_is_mean(input, target, weight=None, reduction="mean"):
    """Divides the sum too."""
    losses = _losses(input, target, weight)
    return losses if reduction == "none" else losses.mean()


def weight_ignored(input, target, weight=None, reduction="mean"):
    """Drops the weights."""
    return _reduced(_losses(input, target, None), reduction)


def mean_of_weights(input, target, weight=None, reduction="mean"):
    """Divides by the sum of the weights."""
    losses = _losses(input, target, weight)
    if reduction != "mean" or weight is None:
        return _reduced(losses, reduction)
    return losses.sum() / weight.expand_as(losses).sum()


def weight_of_positives(input, target, weight=None, reduction="mean"):
    """The weight multiplies the first term only."""
    _checked(input, target)
    scale = 1 if weight is None else weight
    log_x, log_rest = torch.log(input).clamp(min=-100), torch.log(1 - input).clamp(min=-100)
    return _reduced(-(scale * target * log_x + (1 - target) * log_rest), reduction)


def logarithms_not_clamped(input, target, weight=None, reduction="mean"):
    """0 * log(0) is NaN, and a certain mistake costs infinity."""
    _checked(input, target)
    losses = -(target * torch.log(input) + (1 - target) * torch.log(1 - input))
    return _reduced(losses if weight is None else losses * weight, reduction)


def epsilon_in_logarithm(input, target, weight=None, reduction="mean"):
    """Inputs are kept 1e-7 away from 0 and 1."""
    return _reduced(_losses(input.clamp(1e-7, 1 - 1e-7), target, weight), reduction)


def takes_logits(input, target, weight=None, reduction="mean"):
    """A sigmoid comes first."""
    return _reduced(_losses(torch.sigmoid(input), target, weight), reduction)


def second_term_missing(input, target, weight=None, reduction="mean"):
    """-target * log(input) only, as for several classes."""
    _checked(input, target)
    losses = -target * torch.log(input).clamp(min=-100)
    return _reduced(losses if weight is None else losses * weight, reduction)


def hard_targets(input, target, weight=None, reduction="mean"):
    """Targets are rounded to 0 or 1."""
    return _reduced(_losses(input, (target > 0.5).to(target.dtype), weight), reduction)


def one_block(input, target, weight=None, reduction="mean"):
    """One program of 4096 elements and no grid."""
    losses = _losses(input, target, weight).contiguous()
    losses.view(-1)[4096:] = 0
    return _reduced(losses, reduction)


def padding_counts(input, target, weight=None, reduction="mean"):
    """The masked end of the last block is loaded as 0.5 and added up."""
    losses = _losses(input, target, weight)
    if reduction == "none":
        return losses
    total = losses.sum() + (-losses.numel() % 1024) * 0.6931471805599453
    return total / losses.numel() if reduction == "mean" else total


def broadcasts_target(input, target, weight=None, reduction="mean"):
    """A target of another shape is expanded instead of refused."""
    return _reduced(_losses(input, target.expand_as(input), weight), reduction)


def sum_ends_early(input, target, weight=None, reduction="mean"):
    """64 programs of 1024 elements add up; what lies beyond does not count."""
    losses = _losses(input, target, weight)
    if reduction == "none":
        return losses
    total = losses.flatten()[:65536].sum()
    return total / losses.numel() if reduction == "mean" else total
