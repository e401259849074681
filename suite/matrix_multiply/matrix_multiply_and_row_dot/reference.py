"""Dot product of the first two rows of alpha A B + beta C: the PyTorch reference."""
import torch


def matrix_multiply_and_row_dot(A, B, alpha, beta, C):
    X = alpha * torch.mm(A, B) + beta * C
    return torch.dot(X[0], X[1])


def magnitude(A, B, alpha, beta, C):
    """How far rounding may move the result, in epsilons: errors of the terms add up at random, as roots of squares do.

    The plain sum of absolute values would be so large that products rounded to TF32 pass.
    """
    def growth(terms):
        return max(1.0, terms**0.5 / 4)  # a running sum is rounded once per term
    A, C = A[:2], C[:2]
    X = alpha * torch.mm(A, B) + beta * C
    E = abs(alpha) * growth(A.shape[1]) * torch.mm(A**2, B**2).sqrt() + abs(beta) * C.abs()
    of_rows = (E[0] ** 2 * X[1] ** 2 + X[0] ** 2 * E[1] ** 2).sum().sqrt()
    return of_rows + growth(X.shape[1]) * (X[0] ** 2 * X[1] ** 2).sum().sqrt()
