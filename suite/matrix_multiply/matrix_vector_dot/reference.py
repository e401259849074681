"""Reference of matrix_vector_dot: y = alpha A x + beta y in place, then y . x."""
import torch


def matrix_vector_dot(A, x, y, alpha, beta):
    y.copy_(alpha * torch.mv(A, x) + beta * y)
    return torch.dot(y, x)


def magnitude(A, x, y, alpha, beta):
    """Sums of absolute values: for y in place, and for the dot product as the result."""
    y.copy_(abs(alpha) * torch.mv(A.abs(), x.abs()) + abs(beta) * y.abs())
    return torch.dot(y, x.abs())
