"""Plausible wrong low-rank approximations; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def _terms(A):
    u, s, vh = torch.linalg.svd(A, full_matrices=False)
    return u * s[..., None, :], vh


def not_truncated(A, k, *, full_matrices=True, out=None):
    """Returns A."""
    return _give(A.clone(), out)


def one_term_less(A, k, *, full_matrices=True, out=None):
    """Rank k - 1."""
    us, vh = _terms(A)
    return _give(us[..., :k - 1] @ vh[..., :k - 1, :], out)


def one_term_more(A, k, *, full_matrices=True, out=None):
    """Rank k + 1 where there is one."""
    us, vh = _terms(A)
    return _give(us[..., :k + 1] @ vh[..., :k + 1, :], out)


def smallest_terms(A, k, *, full_matrices=True, out=None):
    """Takes the k smallest singular values: an ascending order read as a descending one."""
    us, vh = _terms(A)
    return _give(us[..., -k:] @ vh[..., -k:, :], out)


def values_dropped(A, k, *, full_matrices=True, out=None):
    """U V^T without the singular values."""
    u, _, vh = torch.linalg.svd(A, full_matrices=False)
    return _give(u[..., :k] @ vh[..., :k, :], out)


def first_columns(A, k, *, full_matrices=True, out=None):
    """Projects on the first k columns of A instead of the leading singular vectors."""
    q, _ = torch.linalg.qr(A)
    q = q[..., :k]
    return _give(q @ (q.transpose(-1, -2) @ A), out)


def two_power_steps(A, k, *, full_matrices=True, out=None):
    """A random projection with two power iterations: near, but not the best approximation."""
    start = torch.ones(A.shape[-1], k, dtype=A.dtype, device=A.device).tril()
    y = A @ start
    for _ in range(2):
        y = A @ (A.transpose(-1, -2) @ y)
    q, _ = torch.linalg.qr(y)
    return _give(q @ (q.transpose(-1, -2) @ A), out)


def half_precision(A, k, *, full_matrices=True, out=None):
    """Works on A rounded to bfloat16."""
    us, vh = _terms(A.bfloat16().to(A.dtype))
    return _give(us[..., :k] @ vh[..., :k, :], out)


def signs_dropped(A, k, *, full_matrices=True, out=None):
    """Decomposes |A|."""
    us, vh = _terms(A.abs())
    return _give(us[..., :k] @ vh[..., :k, :], out)


def out_not_written(A, k, *, full_matrices=True, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    us, vh = _terms(A)
    return us[..., :k] @ vh[..., :k, :]


def first_512_matrices(A, k, *, full_matrices=True, out=None):
    """Works on 512 matrices of a batch; the others' results stay 0."""
    y = _terms(A)
    y = y[0][..., :k] @ y[1][..., :k, :]
    y = y.contiguous().clone()
    y.view(-1, *y.shape[y.dim() - 2:])[512:] = 0
    return _give(y, out)
