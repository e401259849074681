"""Least squares by QR factorization: the PyTorch reference."""
import torch


def fused_qr_solve(A, b):
    """x with R x = Q^T b."""
    q, r = torch.linalg.qr(A)
    return torch.linalg.solve_triangular(r, q.mT @ b, upper=True)


def _size(x):
    """Absolute values, the root mean square of the column at least: what reflections make of rounding errors."""
    return torch.maximum(x.abs(), x.square().mean(0, keepdim=True).sqrt())


def magnitude(A, b):
    """The bound, without its 16 eps, on what moving every element of A and b by its size can do to x."""
    inverse = torch.linalg.pinv(A)
    x = inverse @ b
    gram_inverse = (inverse @ inverse.mT).abs()
    return inverse.abs() @ (_size(A) @ x.abs() + _size(b)) + gram_inverse @ (_size(A).mT @ (b - A @ x).abs())
