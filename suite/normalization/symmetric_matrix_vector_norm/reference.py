"""Norm of a scaled product of a symmetric matrix with a vector: the PyTorch reference."""
import torch


def symmetric_matrix_vector_norm(A, x, alpha, beta, p=2.0):
    """The p-norm of y + beta * y with y = alpha * A x."""
    y = alpha * torch.mv(A, x)
    return torch.linalg.vector_norm(y + beta * y, ord=p)
