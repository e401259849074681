"""Plausible wrong pseudo-inverses; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def _from_svd(A, cut, power=1):
    u, s, vh = torch.linalg.svd(A, full_matrices=False)
    inverse = torch.where(s > cut * s[..., :1], 1 / s**power, torch.zeros_like(s))
    return (vh.transpose(-1, -2) * inverse.unsqueeze(-2)) @ u.transpose(-1, -2)


def _cut(A, rcond):
    return max(rcond, max(A.shape[-2:]) * torch.finfo(A.dtype).eps)


def transposed(A, full_matrices=True, rcond=1e-15, out=None):
    """U diag(1/s) V^T: the transpose of the result, which is right for symmetric matrices only."""
    result = _from_svd(A, _cut(A, rcond)).transpose(-1, -2)
    square = A.shape[-1] == A.shape[-2]
    return _give(result.contiguous() if square else result.transpose(-1, -2) * 2, out)


def nothing_cut(A, full_matrices=True, rcond=1e-15, out=None):
    """Inverts every singular value that is not exactly 0."""
    return _give(_from_svd(A, 0.0), out)


def rcond_ignored(A, full_matrices=True, rcond=1e-15, out=None):
    """Always uses the cut that follows from the precision."""
    return _give(_from_svd(A, _cut(A, 0.0)), out)


def rcond_absolute(A, full_matrices=True, rcond=1e-15, out=None):
    """Compares singular values with rcond itself, not with rcond times the largest one."""
    u, s, vh = torch.linalg.svd(A, full_matrices=False)
    inverse = torch.where(s > _cut(A, rcond), 1 / s, torch.zeros_like(s))
    return _give((vh.transpose(-1, -2) * inverse.unsqueeze(-2)) @ u.transpose(-1, -2), out)


def cut_value_kept(A, full_matrices=True, rcond=1e-15, out=None):
    """Small singular values are replaced by the cut instead of being left out."""
    u, s, vh = torch.linalg.svd(A, full_matrices=False)
    s = torch.maximum(s, _cut(A, rcond) * s[..., :1])
    return _give((vh.transpose(-1, -2) / s.unsqueeze(-2)) @ u.transpose(-1, -2), out)


def squares(A, full_matrices=True, rcond=1e-15, out=None):
    """Divides by s^2."""
    return _give(_from_svd(A, _cut(A, rcond), power=2), out)


def normal_equations(A, full_matrices=True, rcond=1e-15, out=None):
    """(A^T A)^-1 A^T: squares the condition number, and fails where A^T A is singular."""
    right = _from_svd(A, _cut(A, rcond))
    if A.shape[-2] < A.shape[-1]:
        return _give(right, out)
    t = A.transpose(-1, -2)
    return _give(torch.linalg.solve_ex(t @ A, t)[0], out)


def ridge(A, full_matrices=True, rcond=1e-15, out=None):
    """Damps with s / (s^2 + 1e-6) instead of cutting."""
    u, s, vh = torch.linalg.svd(A, full_matrices=False)
    return _give((vh.transpose(-1, -2) * (s / (s * s + 1e-6)).unsqueeze(-2)) @ u.transpose(-1, -2), out)


def first_matrix_only(A, full_matrices=True, rcond=1e-15, out=None):
    """Every matrix of a batch gets the result of the first one."""
    result = _from_svd(A, _cut(A, rcond))
    flat = result.reshape(-1, *result.shape[-2:])
    return _give(flat[:1].expand(flat.shape).reshape(result.shape), out)


def low_precision(A, full_matrices=True, rcond=1e-15, out=None):
    """Works on A rounded to bfloat16."""
    return _give(_from_svd(A.bfloat16().to(A.dtype), _cut(A, rcond)), out)


def out_not_written(A, full_matrices=True, rcond=1e-15, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _from_svd(A, _cut(A, rcond))
