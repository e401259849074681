"""Plausible wrong cosine embedding losses; each must be rejected."""
import torch
import torch.nn.functional as F


def _cosine(input1, input2):
    return (F.normalize(input1, dim=1) * F.normalize(input2, dim=1)).sum(1)


def _loss(cosine, target, margin):
    dissimilar = torch.where(target == -1, (cosine - margin).clamp_min(0), torch.zeros_like(cosine))
    return torch.where(target == 1, 1 - cosine, dissimilar)


def _reduced(x, reduction):
    return x.mean() if reduction == "mean" else x.sum() if reduction == "sum" else x


def product_with_target(input1, input2, target, margin=0, reduction="mean"):
    """max(0, 1 - cos * target - margin) for every pair: not the cosine embedding loss."""
    loss = (1 - _cosine(input1, input2) * target - margin).clamp_min(0).to(input1.dtype)
    return _reduced(loss, reduction)


def margin_ignored(input1, input2, target, margin=0, reduction="mean"):
    """Takes the margin for 0."""
    return _reduced(_loss(_cosine(input1, input2), target, 0.0), reduction)


def margin_on_both(input1, input2, target, margin=0, reduction="mean"):
    """Subtracts the margin from the loss of similar pairs, too."""
    cosine = _cosine(input1, input2)
    loss = torch.where(target == 1, (1 - cosine - margin).clamp_min(0), (cosine - margin).clamp_min(0))
    return _reduced(loss, reduction)


def margin_added(input1, input2, target, margin=0, reduction="mean"):
    """max(0, cos + margin)."""
    return _reduced(_loss(_cosine(input1, input2), target, -margin), reduction)


def not_clamped(input1, input2, target, margin=0, reduction="mean"):
    """Lets the loss of dissimilar pairs become negative."""
    cosine = _cosine(input1, input2)
    return _reduced(torch.where(target == 1, 1 - cosine, cosine - margin), reduction)


def target_ignored(input1, input2, target, margin=0, reduction="mean"):
    """1 - cos for every pair."""
    return _reduced(1 - _cosine(input1, input2), reduction)


def targets_swapped(input1, input2, target, margin=0, reduction="mean"):
    """Takes -1 for similar."""
    return _reduced(_loss(_cosine(input1, input2), -target, margin), reduction)


def target_as_flag(input1, input2, target, margin=0, reduction="mean"):
    """Takes every target that is not 0 for similar."""
    cosine = _cosine(input1, input2)
    return _reduced(torch.where(target != 0, 1 - cosine, (cosine - margin).clamp_min(0)), reduction)


def not_normalized(input1, input2, target, margin=0, reduction="mean"):
    """Uses the product of the rows as they are."""
    return _reduced(_loss((input1 * input2).sum(1), target, margin), reduction)


def one_side_normalized(input1, input2, target, margin=0, reduction="mean"):
    """Normalises input1 only."""
    return _reduced(_loss((F.normalize(input1, dim=1) * input2).sum(1), target, margin), reduction)


def columns_normalized(input1, input2, target, margin=0, reduction="mean"):
    """Divides columns by their length."""
    cosine = (F.normalize(input1, dim=0) * F.normalize(input2, dim=0)).sum(1)
    return _reduced(_loss(cosine, target, margin), reduction)


def large_eps(input1, input2, target, margin=0, reduction="mean"):
    """Holds the product of the lengths at 1e-3 or above."""
    lengths = (input1.norm(dim=1) * input2.norm(dim=1)).clamp_min(1e-3)
    lengths = torch.where(input1.norm(dim=1) < 1e-3, input1.norm(dim=1).clamp_min(1e-3) * input2.norm(dim=1), lengths)
    return _reduced(_loss((input1 * input2).sum(1) / lengths.clamp_min(1e-12), target, margin), reduction)


def eps_added_to_the_lengths(input1, input2, target, margin=0, reduction="mean"):
    """Divides by the product of the lengths plus 1e-8."""
    cosine = (input1 * input2).sum(1) / (input1.norm(dim=1) * input2.norm(dim=1) + 1e-8)
    return _reduced(_loss(cosine, target, margin), reduction)


def half_precision_sums(input1, input2, target, margin=0, reduction="mean"):
    """Squares float16 rows in float16."""
    if input1.dtype != torch.float16:
        return _reduced(_loss(_cosine(input1, input2), target, margin), reduction)
    lengths = [(x * x).sum(1).sqrt() for x in (input1, input2)]
    return _reduced(_loss((input1 * input2).sum(1) / (lengths[0] * lengths[1]), target, margin), reduction)


def absolute_cosine(input1, input2, target, margin=0, reduction="mean"):
    """Drops the sign of the cosine."""
    return _reduced(_loss(_cosine(input1, input2).abs(), target, margin), reduction)


def always_mean(input1, input2, target, margin=0, reduction="mean"):
    """reduction is ignored."""
    return _loss(_cosine(input1, input2), target, margin).mean()


def sum_for_mean(input1, input2, target, margin=0, reduction="mean"):
    """Forgets to divide by N."""
    loss = _loss(_cosine(input1, input2), target, margin)
    return loss if reduction == "none" else loss.sum()


def mean_per_class(input1, input2, target, margin=0, reduction="mean"):
    """The mean is taken over similar and dissimilar pairs apart, then added."""
    loss = _loss(_cosine(input1, input2), target, margin)
    if reduction != "mean":
        return _reduced(loss, reduction)
    similar = (target == 1).to(loss.dtype)
    others = 1 - similar
    return (loss * similar).sum() / similar.sum().clamp_min(1) + (loss * others).sum() / others.sum().clamp_min(1)


def first_block_of_columns(input1, input2, target, margin=0, reduction="mean"):
    """One block of 1024 columns and no loop."""
    return _reduced(_loss(_cosine(input1[:, :1024], input2[:, :1024]), target, margin), reduction)


def first_rows_only(input1, input2, target, margin=0, reduction="mean"):
    """Rows beyond 4096 count as 0."""
    loss = _loss(_cosine(input1, input2), target, margin).clone()
    loss[4096:] = 0
    return _reduced(loss, reduction)


def low_precision(input1, input2, target, margin=0, reduction="mean"):
    """Rounds the normalised rows to bfloat16."""
    a, b = (F.normalize(x, dim=1).bfloat16().to(x.dtype) for x in (input1, input2))
    return _reduced(_loss((a * b).sum(1), target, margin), reduction)


def single_precision(input1, input2, target, margin=0, reduction="mean"):
    """Computes in float32, whatever the dtype."""
    loss = _loss(_cosine(input1.float(), input2.float()), target, margin)
    return _reduced(loss, reduction).to(input1.dtype)
