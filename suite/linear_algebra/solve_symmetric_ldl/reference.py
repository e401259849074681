"""Solution of a symmetric or Hermitian system: the PyTorch reference."""
import torch


def solve_symmetric_ldl(A, b, hermitian=False, out=None):
    """x with A x = b; A is given whole, so any solver will do (LAPACK's LU here)."""
    result = torch.linalg.solve(A, b)
    return result if out is None else out.copy_(result)
