"""Solution of a symmetric positive definite system: the PyTorch reference."""
import torch


def fused_cholesky_solve(A, b):
    """x with A x = b."""
    return torch.cholesky_solve(b, torch.linalg.cholesky(A))
