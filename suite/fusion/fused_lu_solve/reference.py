"""Solution of a linear system: the PyTorch reference (LAPACK's LU with partial pivoting)."""
import torch


def fused_lu_solve(A, b):
    """x with A x = b."""
    return torch.linalg.solve(A, b)
