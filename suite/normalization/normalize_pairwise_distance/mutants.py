"""Plausible wrong versions of normalized row distances; each must be rejected."""
import torch
import torch.nn.functional as F


def distances_only(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    """Does not normalize."""
    d = F.pairwise_distance(x1, x2, p=p_distance, eps=eps_distance, keepdim=keepdim)
    return F.normalize(d, p=p_norm, dim=dim_norm, eps=eps_norm) * 0 + d


def inputs_normalized(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    """Normalizes the rows instead of their distances."""
    d = F.pairwise_distance(x1, x2, p=p_distance, eps=eps_distance, keepdim=keepdim)
    F.normalize(d, p=p_norm, dim=dim_norm, eps=eps_norm)
    a, b = (F.normalize(x, p=p_norm, dim=-1, eps=eps_norm) for x in (x1, x2))
    return F.pairwise_distance(a, b, p=p_distance, eps=eps_distance, keepdim=keepdim)


def distance_always_two(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    """p_distance is ignored."""
    d = F.pairwise_distance(x1, x2, eps=eps_distance, keepdim=keepdim)
    return F.normalize(d, p=p_norm, dim=dim_norm, eps=eps_norm)


def norm_always_two(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    """p_norm is ignored."""
    d = F.pairwise_distance(x1, x2, p=p_distance, eps=eps_distance, keepdim=keepdim)
    return F.normalize(d, dim=dim_norm, eps=eps_norm)


def eps_not_in_difference(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    """Leaves eps_distance out: equal rows are at distance 0."""
    d = F.pairwise_distance(x1, x2, p=p_distance, eps=0.0, keepdim=keepdim)
    return F.normalize(d, p=p_norm, dim=dim_norm, eps=eps_norm)


def eps_added_to_distance(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    """Adds eps_distance to the distance, not to each difference."""
    d = F.pairwise_distance(x1, x2, p=p_distance, eps=0.0, keepdim=keepdim) + eps_distance
    return F.normalize(d, p=p_norm, dim=dim_norm, eps=eps_norm)


def difference_reversed(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    """|x2 - x1 + eps|: the sign of eps is the other one."""
    d = F.pairwise_distance(x2, x1, p=p_distance, eps=eps_distance, keepdim=keepdim)
    return F.normalize(d, p=p_norm, dim=dim_norm, eps=eps_norm)


def eps_norm_added(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    """Divides by norm + eps_norm instead of the larger of the two."""
    d = F.pairwise_distance(x1, x2, p=p_distance, eps=eps_distance, keepdim=keepdim)
    return d / (torch.linalg.vector_norm(d, p_norm, dim=dim_norm, keepdim=True) + eps_norm)


def eps_norm_fixed(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    """Uses 1e-12."""
    d = F.pairwise_distance(x1, x2, p=p_distance, eps=eps_distance, keepdim=keepdim)
    return F.normalize(d, p=p_norm, dim=dim_norm)


def normalized_along_last(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    """Normalizes along the last dimension of the distances, whatever dim_norm says."""
    d = F.pairwise_distance(x1, x2, p=p_distance, eps=eps_distance, keepdim=keepdim)
    F.normalize(d, p=p_norm, dim=dim_norm, eps=eps_norm)
    return F.normalize(d, p=p_norm, dim=-1, eps=eps_norm)


def divided_by_largest(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    """Divides by the largest distance."""
    d = F.pairwise_distance(x1, x2, p=p_distance, eps=eps_distance, keepdim=keepdim)
    return F.normalize(d, p=float("inf") if d.numel() else p_norm, dim=dim_norm, eps=eps_norm)


def keepdim_ignored(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    """Never keeps the last dimension."""
    d = F.pairwise_distance(x1, x2, p=p_distance, eps=eps_distance, keepdim=keepdim)
    y = F.normalize(d, p=p_norm, dim=dim_norm, eps=eps_norm)
    return y.squeeze(-1) if keepdim else y


def tail_of_row_missing(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    """Works on blocks of 32 columns without a tail."""
    length = x1.shape[-1] // 32 * 32 or x1.shape[-1]
    d = F.pairwise_distance(x1[..., :length], x2[..., :length], p=p_distance, eps=eps_distance, keepdim=keepdim)
    return F.normalize(d, p=p_norm, dim=dim_norm, eps=eps_norm)


def expanded_squares(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    """|a|^2 - 2 a b + |b|^2 for p = 2: near rows far from the origin cancel."""
    d = F.pairwise_distance(x1, x2, p=p_distance, eps=eps_distance, keepdim=keepdim)
    if p_distance == 2.0:
        squares = (x1 * x1).sum(-1) - 2 * (x1 * x2).sum(-1) + (x2 * x2).sum(-1)
        d = squares.clamp(min=0).sqrt().reshape(d.shape)
    return F.normalize(d, p=p_norm, dim=dim_norm, eps=eps_norm)
