"""Solution of linear systems from a Cholesky factor: the PyTorch reference."""
import torch


def cholesky_solve(B, L, upper=False, out=None):
    """X with L L^T X = B, or U^T U X = B; into `out` when it is given."""
    result = torch.cholesky_solve(B, L, upper=upper)
    return result if out is None else out.copy_(result)


def magnitude(B, L, upper=False, out=None):
    """The bound, without its 16 eps, on what rounding in the two triangular solves can do to X."""
    lower = L.triu().mT if upper else L.tril()
    eye = torch.eye(L.shape[-1], dtype=L.dtype, device=L.device)
    inverse = torch.linalg.solve_triangular(lower, eye.expand_as(lower), upper=False)
    y = inverse @ B
    x = inverse.mT @ y
    error_of_y = inverse.abs() @ (lower.abs() @ y.abs())
    return inverse.mT.abs() @ (error_of_y + lower.mT.abs() @ x.abs())
