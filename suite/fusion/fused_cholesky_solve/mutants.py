"""Plausible wrong ways to solve a definite system; each must be rejected."""
import torch


def forward_only(A, b):
    """Solves L y = b and stops."""
    return torch.linalg.solve_triangular(torch.linalg.cholesky(A), b, upper=False)


def lower_twice(A, b):
    """Uses L where its transpose belongs."""
    lower = torch.linalg.cholesky(A)
    y = torch.linalg.solve_triangular(lower, b, upper=False)
    return torch.linalg.solve_triangular(lower, y, upper=False)


def jitter(A, b):
    """Adds 1e-3 to the diagonal, to be safe."""
    eye = torch.eye(A.shape[0], dtype=A.dtype, device=A.device)
    return torch.cholesky_solve(b, torch.linalg.cholesky(A + 1e-3 * eye))


def diagonal_only(A, b):
    """One Jacobi step: divides by the diagonal."""
    return b / torch.diagonal(A).unsqueeze(1)


def low_precision(A, b):
    """Rounds A to bfloat16."""
    return torch.linalg.solve(A.bfloat16().to(A.dtype), b)


def first_right_side(A, b):
    """Every column of x is the solution for the first right-hand side."""
    x = torch.linalg.solve(A, b)
    return x[:, :1].expand_as(x).contiguous()


def right_sides_cut(A, b):
    """One block of 64 right-hand sides and no more."""
    x = torch.linalg.solve(A, b)
    x[:, 64:] = 0
    return x


def product(A, b):
    """Multiplies instead of solving."""
    return A @ b


def few_conjugate_gradient_steps(A, b):
    """An iteration that is stopped long before it converges."""
    x = torch.zeros_like(b)
    for _ in range(8):
        x = x + (b - A @ x) / torch.linalg.matrix_norm(A, 2)
    return x
