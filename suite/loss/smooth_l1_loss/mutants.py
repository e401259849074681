"""Plausible wrong implementations of the smooth L1 loss; each must be rejected."""
import torch
import torch.nn.functional as F


def _reduced(losses, reduction):
    return {"none": lambda: losses, "sum": losses.sum, "mean": losses.mean}[reduction]()


def _losses(input, target, beta):
    d = (input - target).abs()
    return torch.where(d < beta, 0.5 * d * d / beta, d - 0.5 * beta) if beta > 0 else d


def beta_ignored(input, target, beta=1.0, reduction="mean"):
    """The border is at 1 whatever is asked for."""
    return _reduced(_losses(input, target, 1.0), reduction)


def huber(input, target, beta=1.0, reduction="mean"):
    """The Huber loss: beta times as large."""
    return _reduced(beta * _losses(input, target, beta), reduction)


def line_not_lowered(input, target, beta=1.0, reduction="mean"):
    """|d| without - beta / 2: the two pieces do not meet."""
    d = (input - target).abs()
    return _reduced(torch.where(d < beta, 0.5 * d * d / beta, d) if beta > 0 else d, reduction)


def parabola_not_scaled(input, target, beta=1.0, reduction="mean"):
    """d^2 / 2 without the division by beta."""
    d = (input - target).abs()
    return _reduced(torch.where(d < beta, 0.5 * d * d, d - 0.5 * beta), reduction)


def sign_forgotten(input, target, beta=1.0, reduction="mean"):
    """The line goes through negative differences as they are."""
    d = input - target
    return _reduced(torch.where(d.abs() < beta, 0.5 * d * d / max(beta, 1e-30), d - 0.5 * beta), reduction)


def zero_over_zero(input, target, beta=1.0, reduction="mean"):
    """At the border the parabola is taken, which is 0 / 0 for beta = 0."""
    d = (input - target).abs()
    return _reduced(torch.where(d <= beta, 0.5 * d * d / beta, d - 0.5 * beta), reduction)


def blended_branches(input, target, beta=1.0, reduction="mean"):
    """Both branches times their flags: 0 * inf where the square overflows."""
    d = (input - target).abs()
    inside = (d < beta).to(d.dtype)
    losses = inside * (0.5 * d * d / beta) + (1 - inside) * (d - 0.5 * beta) if beta > 0 else d
    return _reduced(losses, reduction)


def always_mean(input, target, beta=1.0, reduction="mean"):
    """Averages whatever reduction is asked for."""
    return _losses(input, target, beta).mean()


def one_block(input, target, beta=1.0, reduction="mean"):
    """One program of 4096 elements and no grid."""
    losses = _losses(input, target, beta).contiguous()
    losses.view(-1)[4096:] = 0
    return _reduced(losses, reduction)


def tail_dropped(input, target, beta=1.0, reduction="mean"):
    """Only whole blocks of 256 are computed; the ragged end counts as 0."""
    losses = _losses(input, target, beta).contiguous()
    losses.view(-1)[losses.numel() // 256 * 256:] = 0
    return _reduced(losses, reduction)


def accumulates_in_half(input, target, beta=1.0, reduction="mean"):
    """Running sums in 64 lanes, of input's dtype."""
    losses = F.smooth_l1_loss(*torch.broadcast_tensors(input, target), reduction="none", beta=beta)
    if reduction == "none" or input.dtype != torch.float16:
        return _reduced(losses, reduction)
    lanes = torch.zeros(64, dtype=input.dtype, device=input.device)
    for block in losses.flatten().split(64):
        lanes[: block.numel()] += block
    total = torch.zeros((), dtype=input.dtype, device=input.device)
    for lane in lanes:
        total = total + lane
    return total / losses.numel() if reduction == "mean" else total


def sum_ends_early(input, target, beta=1.0, reduction="mean"):
    """64 programs of 1024 elements add up; what lies beyond does not count."""
    losses = _losses(input, target, beta)
    if reduction == "none":
        return losses
    total = losses.flatten()[:65536].sum()
    return total / losses.numel() if reduction == "mean" else total


def mean_over_inputs(input, target, beta=1.0, reduction="mean"):
    """Divides by the size of input, which may be smaller than the result."""
    losses = _losses(input, target, beta)
    return losses.sum() / input.numel() if reduction == "mean" else _reduced(losses, reduction)
