"""Cholesky factorization: the PyTorch reference."""
import torch


def cholesky(A, upper=False, out=None):
    """L with A = L L^H, or U with A = U^H U; into `out` when it is given."""
    result = torch.linalg.cholesky(A, upper=upper)
    return result if out is None else out.copy_(result)
