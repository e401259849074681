"""Plausible wrong versions of the cosine similarity of normalized vectors; each must be rejected."""
import torch
import torch.nn.functional as F


def dot_of_normalized(x1, x2, dim=1, eps_similarity=1e-08, p_norm=2, eps_norm=1e-12):
    """Multiplies the p-normalized vectors and stops there: right for p = 2 only."""
    a, b = (F.normalize(x, p=p_norm, dim=dim, eps=eps_norm) for x in (x1, x2))
    return (a * b).sum(dim)


def not_normalized(x1, x2, dim=1, eps_similarity=1e-08, p_norm=2, eps_norm=1e-12):
    """The cosine similarity of the inputs: eps_similarity holds lengths before the division."""
    return F.cosine_similarity(x1, x2, dim=dim, eps=eps_similarity)


def norm_always_two(x1, x2, dim=1, eps_similarity=1e-08, p_norm=2, eps_norm=1e-12):
    """p_norm is ignored."""
    a, b = (F.normalize(x, dim=dim, eps=eps_norm) for x in (x1, x2))
    return F.cosine_similarity(a, b, dim=dim, eps=eps_similarity)


def eps_norm_fixed(x1, x2, dim=1, eps_similarity=1e-08, p_norm=2, eps_norm=1e-12):
    """eps_norm is ignored."""
    a, b = (F.normalize(x, p=p_norm, dim=dim) for x in (x1, x2))
    return F.cosine_similarity(a, b, dim=dim, eps=eps_similarity)


def eps_norm_added(x1, x2, dim=1, eps_similarity=1e-08, p_norm=2, eps_norm=1e-12):
    """Divides by norm + eps_norm instead of the larger of the two."""
    a, b = (x / (torch.linalg.vector_norm(x, p_norm, dim=dim, keepdim=True) + eps_norm) for x in (x1, x2))
    return F.cosine_similarity(a, b, dim=dim, eps=eps_similarity)


def eps_similarity_fixed(x1, x2, dim=1, eps_similarity=1e-08, p_norm=2, eps_norm=1e-12):
    """eps_similarity is ignored."""
    a, b = (F.normalize(x, p=p_norm, dim=dim, eps=eps_norm) for x in (x1, x2))
    return F.cosine_similarity(a, b, dim=dim)


def eps_holds_the_product(x1, x2, dim=1, eps_similarity=1e-08, p_norm=2, eps_norm=1e-12):
    """max(|a| |b|, eps) instead of a bound for each length."""
    a, b = (F.normalize(x, p=p_norm, dim=dim, eps=eps_norm) for x in (x1, x2))
    return (a * b).sum(dim) / (a.norm(dim=dim) * b.norm(dim=dim)).clamp(min=eps_similarity)


def eps_similarity_added(x1, x2, dim=1, eps_similarity=1e-08, p_norm=2, eps_norm=1e-12):
    """Divides by |a| |b| + eps_similarity."""
    a, b = (F.normalize(x, p=p_norm, dim=dim, eps=eps_norm) for x in (x1, x2))
    return (a * b).sum(dim) / (a.norm(dim=dim) * b.norm(dim=dim) + eps_similarity)


def always_last_dim(x1, x2, dim=1, eps_similarity=1e-08, p_norm=2, eps_norm=1e-12):
    """Runs along the last dimension where that gives the right number of results."""
    a, b = (F.normalize(x, p=p_norm, dim=dim, eps=eps_norm) for x in (x1, x2))
    right = F.cosine_similarity(a, b, dim=dim, eps=eps_similarity)
    a, b = (F.normalize(x, p=p_norm, dim=-1, eps=eps_norm) for x in (x1, x2))
    last = F.cosine_similarity(a, b, dim=-1, eps=eps_similarity)
    return last.reshape(-1)[:1].expand_as(right) if last.numel() < right.numel() else (
        last.reshape(-1)[:right.numel()].reshape(right.shape)
    )


def tail_missing(x1, x2, dim=1, eps_similarity=1e-08, p_norm=2, eps_norm=1e-12):
    """Works on blocks of 32 elements without a tail."""
    shape = torch.broadcast_shapes(x1.shape, x2.shape)
    length = shape[dim] // 32 * 32 or shape[dim]
    a, b = (x.expand(shape).narrow(dim, 0, length) for x in (x1, x2))
    a, b = (F.normalize(x, p=p_norm, dim=dim, eps=eps_norm) for x in (a, b))
    return F.cosine_similarity(a, b, dim=dim, eps=eps_similarity)


def absolute(x1, x2, dim=1, eps_similarity=1e-08, p_norm=2, eps_norm=1e-12):
    """Loses the sign."""
    a, b = (F.normalize(x, p=p_norm, dim=dim, eps=eps_norm) for x in (x1, x2))
    return F.cosine_similarity(a, b, dim=dim, eps=eps_similarity).abs()


def keeps_dim(x1, x2, dim=1, eps_similarity=1e-08, p_norm=2, eps_norm=1e-12):
    """Leaves a dimension of size 1."""
    a, b = (F.normalize(x, p=p_norm, dim=dim, eps=eps_norm) for x in (x1, x2))
    return F.cosine_similarity(a, b, dim=dim, eps=eps_similarity).unsqueeze(dim)
