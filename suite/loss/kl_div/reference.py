"""Kullback-Leibler divergence: the PyTorch reference."""
import torch
import torch.nn.functional as F


def kl_div(input, target, reduction="batchmean", log_target=False):
    """target * (log(target) - input), as it is, summed, averaged, or summed and divided by the batch."""
    return F.kl_div(input, target, reduction=reduction, log_target=log_target)


def magnitude(input, target, reduction="batchmean", log_target=False):
    """The same with absolute values of both products."""
    if log_target:
        terms = torch.exp(target) * (target.abs() + input.abs())
    else:
        terms = torch.xlogy(target, target).abs() + target * input.abs()
    sums = {"none": lambda: terms, "sum": terms.sum, "mean": terms.mean}
    return terms.sum() / input.shape[0] if reduction == "batchmean" else sums[reduction]()
