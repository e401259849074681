"""Triangular solve and scaled addition: the PyTorch reference."""
import torch


def solve_and_add_scaled_vector(A, b, y, alpha):
    """x + alpha * y with A x = b, A upper triangular."""
    x = torch.linalg.solve_triangular(A, b.unsqueeze(1), upper=True).squeeze(1)
    return x + alpha * y


def magnitude(A, b, y, alpha):
    """The bound, without its 16 eps, on what rounding in the triangular solve and in the sum can do."""
    upper = A.triu()
    inverse = torch.linalg.solve_triangular(upper, torch.eye(A.shape[0], dtype=A.dtype, device=A.device), upper=True)
    x = inverse @ b
    return inverse.abs() @ (upper.abs() @ x.abs()) + (alpha * y).abs()
