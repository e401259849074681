"""Plausible wrong ways to solve a linear system; each must be rejected."""
import torch


def _substitute(lower, upper, b):
    y = torch.linalg.solve_triangular(lower, b.unsqueeze(1), upper=False)
    return torch.linalg.solve_triangular(upper, y, upper=True).squeeze(1)


def permutation_dropped(A, b):
    """Solves (L U) x = b: right only when no rows were exchanged."""
    _, lower, upper = torch.linalg.lu(A)
    return _substitute(lower, upper, b)


def permutation_not_transposed(A, b):
    """Applies P where its transpose belongs: right only when P is symmetric."""
    p, lower, upper = torch.linalg.lu(A)
    return _substitute(lower, upper, p @ b)


def no_pivoting(A, b):
    """Eliminates without row exchanges."""
    w = torch.cat([A, b.unsqueeze(1)], 1)
    n = A.shape[0]
    for j in range(n):
        w[j + 1:] = w[j + 1:] - (w[j + 1:, j] / w[j, j]).unsqueeze(1) * w[j]
    return torch.linalg.solve_triangular(w[:, :n].triu(), w[:, n:], upper=True).squeeze(1)


def transposed(A, b):
    """Solves with the transpose of A."""
    return torch.linalg.solve(A.T, b)


def forward_only(A, b):
    """Stops after the forward substitution."""
    p, lower, _ = torch.linalg.lu(A)
    return torch.linalg.solve_triangular(lower, (p.T @ b).unsqueeze(1), upper=False).squeeze(1)


def low_precision(A, b):
    """Rounds A to bfloat16."""
    return torch.linalg.solve(A.bfloat16().to(A.dtype), b)


def regularized(A, b):
    """Adds 1e-3 to the diagonal, to be safe."""
    return torch.linalg.solve(A + 1e-3 * torch.eye(A.shape[0], dtype=A.dtype, device=A.device), b)


def product(A, b):
    """Multiplies instead of solving."""
    return A @ b
