"""Plausible wrong ways to invert a matrix; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def _from_factors(A, rows):
    _, lower, upper = torch.linalg.lu(A)
    y = torch.linalg.solve_triangular(lower, rows.expand_as(lower), upper=False)
    return torch.linalg.solve_triangular(upper, y, upper=True)


def permutation_not_transposed(A, *, pivot=True, out=None):
    """Applies P where its transpose belongs: right only when P is symmetric."""
    return _give(_from_factors(A, torch.linalg.lu(A)[0]), out)


def permutation_dropped(A, *, pivot=True, out=None):
    """The inverse of L U, which is A with its rows exchanged."""
    return _give(_from_factors(A, torch.eye(A.shape[-1], dtype=A.dtype, device=A.device)), out)


def no_pivoting(A, *, pivot=True, out=None):
    """Gauss-Jordan without row exchanges."""
    n = A.shape[-1]
    eye = torch.eye(n, dtype=A.dtype, device=A.device).expand_as(A)
    w = torch.cat([A, eye], -1)
    for j in range(n):
        row = w[..., j:j + 1, :] / w[..., j:j + 1, j:j + 1]
        w = w - w[..., :, j:j + 1] * row
        w[..., j:j + 1, :] = row
    return _give(w[..., n:].contiguous(), out)


def transposed(A, *, pivot=True, out=None):
    """The inverse of the transpose."""
    return _give(torch.linalg.inv(A).transpose(-1, -2).contiguous(), out)


def first_matrix_only(A, *, pivot=True, out=None):
    """Every matrix of a batch gets the inverse of the first one."""
    flat = torch.linalg.inv(A).reshape(-1, *A.shape[-2:])
    return _give(flat[:1].expand_as(flat).reshape(A.shape).contiguous(), out)


def low_precision(A, *, pivot=True, out=None):
    """Rounds A to bfloat16."""
    return _give(torch.linalg.inv(A.bfloat16().to(A.dtype)), out)


def neumann_series(A, *, pivot=True, out=None):
    """A few Newton steps from a scaled transpose: not converged unless A is near the identity."""
    eye = torch.eye(A.shape[-1], dtype=A.dtype, device=A.device)
    size = torch.linalg.matrix_norm(A, 1) * torch.linalg.matrix_norm(A, float("inf"))
    x = A.transpose(-1, -2) / size[..., None, None]
    for _ in range(6):
        x = x @ (2 * eye - A @ x)
    return _give(x, out)


def out_not_written(A, *, pivot=True, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.linalg.inv(A)
