"""Plausible wrong reconstructions; each must be rejected."""
import torch


def _svd(A):
    finite = torch.isfinite(A).all(-1, keepdim=True).all(-2, keepdim=True)
    return finite, *torch.linalg.svd(torch.where(finite, A, torch.zeros_like(A)), full_matrices=False)


def _give(finite, result):
    return torch.where(finite, result, torch.full_like(result, float("nan")))


def copy(A):
    """Returns a copy: right for finite matrices, but NaN and Inf stay where they are."""
    return A.clone()


def not_finite_elements_only(A):
    """NaN where A is not finite, and A elsewhere."""
    return torch.where(torch.isfinite(A), A, torch.full_like(A, float("nan")))


def not_finite_for_all(A):
    """One matrix that is not finite turns the whole batch into NaN."""
    finite, u, s, vh = _svd(A)
    return torch.where(finite.all(), (u * s.unsqueeze(-2)) @ vh, torch.full_like(A, float("nan")))


def v_not_transposed(A):
    """U diag(s) V where that fits."""
    finite, u, s, vh = _svd(A)
    square = vh.shape[-1] == vh.shape[-2] and u.shape[-1] == u.shape[-2]
    return _give(finite, (u * s.unsqueeze(-2)) @ (vh.transpose(-1, -2) if square else -vh))


def values_left_out(A):
    """U V^T."""
    finite, u, _, vh = _svd(A)
    return _give(finite, u @ vh)


def values_squared(A):
    """Takes eigenvalues of A^T A for singular values."""
    finite, u, s, vh = _svd(A)
    return _give(finite, (u * (s * s).unsqueeze(-2)) @ vh)


def truncated(A):
    """Leaves out singular values below 1 % of the largest."""
    finite, u, s, vh = _svd(A)
    return _give(finite, (u * torch.where(s < 0.01 * s[..., :1], 0.0, s).unsqueeze(-2)) @ vh)


def last_value_missing(A):
    """Sums one term too few."""
    finite, u, s, vh = _svd(A)
    return _give(finite, (u[..., :-1] * s[..., None, :-1]) @ vh[..., :-1, :])


def low_precision(A):
    """Factors rounded to bfloat16."""
    finite, u, s, vh = _svd(A)
    return _give(finite, ((u * s.unsqueeze(-2)).bfloat16().to(A.dtype)) @ vh.bfloat16().to(A.dtype))


def first_matrix_only(A):
    """Every matrix of a batch gets the result of the first one."""
    finite, u, s, vh = _svd(A)
    result = _give(finite, (u * s.unsqueeze(-2)) @ vh)
    flat = result.reshape(-1, *A.shape[-2:])
    return flat[:1].expand(flat.shape).reshape(A.shape)
