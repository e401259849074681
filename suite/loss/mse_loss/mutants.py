"""Plausible wrong implementations of the mean squared error; each must be rejected."""
import torch


def _reduced(losses, reduction):
    return {"none": lambda: losses, "sum": losses.sum, "mean": losses.mean}[reduction]()


def always_mean(input, target, reduction="mean"):
    """Averages whatever reduction is asked for."""
    return ((input - target) ** 2).mean()


def mean_over_rows(input, target, reduction="mean"):
    """Divides by the first dimension's size, as a batch mean does."""
    losses = (input - target) ** 2
    if reduction != "mean":
        return _reduced(losses, reduction)
    return losses.sum() / max(losses.shape[0] if losses.dim() > 1 else losses.numel(), 1)


def half_of_the_square(input, target, reduction="mean"):
    """The least-squares habit: d^2 / 2."""
    return _reduced(0.5 * (input - target) ** 2, reduction)


def absolute_difference(input, target, reduction="mean"):
    """|d| instead of d^2."""
    return _reduced((input - target).abs(), reduction)


def expanded_square(input, target, reduction="mean"):
    """x^2 - 2 x t + t^2: cancels where both are far from zero."""
    return _reduced(input * input - 2 * input * target + target * target, reduction)


def tail_dropped(input, target, reduction="mean"):
    """Only whole blocks of 256 are computed; the ragged end counts as 0."""
    losses = ((input - target) ** 2).contiguous()
    losses.view(-1)[losses.numel() // 256 * 256:] = 0
    return _reduced(losses, reduction)


def one_block(input, target, reduction="mean"):
    """One program of 4096 elements and no grid."""
    losses = ((input - target) ** 2).contiguous()
    losses.view(-1)[4096:] = 0
    return _reduced(losses, reduction)


def accumulates_in_half(input, target, reduction="mean"):
    """The running sum has input's dtype."""
    losses = (input - target) ** 2
    if reduction == "none" or input.dtype != torch.float16:
        return _reduced(losses, reduction)
    total = torch.zeros((), dtype=input.dtype, device=input.device)
    for one in losses.flatten():
        total = total + one
    return total / losses.numel() if reduction == "mean" else total


def reads_as_contiguous(input, target, reduction="mean"):
    """Ignores the strides: takes the storage as it lies."""
    def flat(x):
        length = x.untyped_storage().nbytes() // x.element_size() - x.storage_offset()
        return x.as_strided((length,), (1,))[torch.arange(x.numel(), device=x.device) % max(length, 1)].view(x.shape)
    return _reduced((flat(input) - flat(target)) ** 2, reduction)


def hides_nan(input, target, reduction="mean"):
    """NaN losses count as 0."""
    return _reduced(((input - target) ** 2).nan_to_num(nan=0.0, posinf=float("inf")), reduction)


def sum_ends_early(input, target, reduction="mean"):
    """64 programs of 1024 elements add up; what lies beyond does not count."""
    losses = (input - target) ** 2
    if reduction == "none":
        return losses
    total = losses.flatten()[:65536].sum()
    return total / losses.numel() if reduction == "mean" else total


def mean_over_inputs(input, target, reduction="mean"):
    """Divides by the size of input, which may be smaller than the result."""
    losses = (input - target) ** 2
    return losses.sum() / input.numel() if reduction == "mean" else _reduced(losses, reduction)
