"""Plausible wrong implementations of the Kullback-Leibler divergence; each must be rejected."""
import torch


def _terms(input, target, log_target):
    if log_target:
        return torch.exp(target) * (target - input)
    return torch.xlogy(target, target) - target * input


def _reduced(terms, input, reduction):
    if reduction == "none":
        return terms
    return terms.sum() / {"sum": 1, "mean": terms.numel(), "batchmean": input.shape[0]}[reduction]


def always_batchmean(input, target, reduction="batchmean", log_target=False):
    """Divides by the batch whatever reduction is asked for."""
    return _reduced(_terms(input, target, log_target), input, "batchmean")


def batchmean_for_mean(input, target, reduction="batchmean", log_target=False):
    """'mean' divides by the batch size."""
    reduction = "batchmean" if reduction == "mean" else reduction
    return _reduced(_terms(input, target, log_target), input, reduction)


def sum_is_batchmean(input, target, reduction="batchmean", log_target=False):
    """'sum' is divided by the batch size too."""
    reduction = "batchmean" if reduction == "sum" else reduction
    return _reduced(_terms(input, target, log_target), input, reduction)


def batch_is_rows(input, target, reduction="batchmean", log_target=False):
    """'batchmean' divides by all dimensions but the last."""
    terms = _terms(input, target, log_target)
    if reduction != "batchmean":
        return _reduced(terms, input, reduction)
    return terms.sum() / max(terms.numel() // terms.shape[-1], 1)


def log_target_ignored(input, target, reduction="batchmean", log_target=False):
    """Logarithms are taken for probabilities."""
    return _reduced(_terms(input, target, False), input, reduction)


def swapped(input, target, reduction="batchmean", log_target=False):
    """The divergence in the other direction."""
    other = target if log_target else torch.log(target)
    return _reduced(torch.exp(input) * (input - other), input, reduction)


def entropy_missing(input, target, reduction="batchmean", log_target=False):
    """The cross entropy alone: -target * input."""
    return _reduced(-(torch.exp(target) if log_target else target) * input, input, reduction)


def zero_times_infinity(input, target, reduction="batchmean", log_target=False):
    """target * (log(target) - input) as it stands: NaN where target is 0."""
    if log_target:
        return _reduced(_terms(input, target, True), input, reduction)
    return _reduced(target * (torch.log(target) - input), input, reduction)


def epsilon_in_logarithm(input, target, reduction="batchmean", log_target=False):
    """log(target + 1e-3)."""
    if log_target:
        return _reduced(_terms(input, target, True), input, reduction)
    return _reduced(target * (torch.log(target + 1e-3) - input), input, reduction)


def hides_infinity(input, target, reduction="batchmean", log_target=False):
    """Inputs of -inf are clamped to -100."""
    return _reduced(_terms(input.clamp(min=-100), target, log_target), input, reduction)


def one_block(input, target, reduction="batchmean", log_target=False):
    """One program of 4096 elements and no grid."""
    terms = _terms(input, target, log_target).contiguous()
    terms.view(-1)[4096:] = 0
    return _reduced(terms, input, reduction)


def padding_counts(input, target, reduction="batchmean", log_target=False):
    """With log_target the masked end of the last block, loaded as 0 and -1, is added up."""
    terms = _terms(input, target, log_target)
    if reduction == "none" or not log_target:
        return _reduced(terms, input, reduction)
    extra = float(-terms.numel() % 1024)
    return _reduced(torch.cat([terms.flatten(), terms.new_full((1,), extra)]), input, reduction)


def accumulates_in_half(input, target, reduction="batchmean", log_target=False):
    """The running sum has input's dtype."""
    terms = _terms(input, target, log_target)
    if reduction == "none" or input.dtype != torch.float16:
        return _reduced(terms, input, reduction)
    total = torch.zeros((), dtype=input.dtype, device=input.device)
    for one in terms.flatten():
        total = total + one
    return total / {"sum": 1, "mean": terms.numel(), "batchmean": input.shape[0]}[reduction]


def sum_ends_early(input, target, reduction="batchmean", log_target=False):
    """64 programs of 1024 elements add up; what lies beyond does not count."""
    terms = _terms(input, target, log_target)
    if reduction == "none":
        return terms
    return terms.flatten()[:65536].sum() / {"sum": 1, "mean": terms.numel(), "batchmean": input.shape[0]}[reduction]
