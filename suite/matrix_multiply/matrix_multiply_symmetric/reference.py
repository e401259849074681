"""alpha X X^T + beta X with X = alpha A B + beta C: the PyTorch reference."""
import torch


def matrix_multiply_symmetric(A, B, C, alpha, beta):
    X = alpha * torch.mm(A, B) + beta * C
    return alpha * torch.mm(X, X.T) + beta * X


def magnitude(A, B, C, alpha, beta):
    """How far rounding may move the result, in epsilons: errors of the terms add up at random, as roots of squares do.

    The plain sum of absolute values would be so large that products rounded to TF32 pass.
    """
    def growth(terms):
        return max(1.0, terms**0.5 / 4)  # a running sum is rounded once per term
    X = alpha * torch.mm(A, B) + beta * C
    E = abs(alpha) * growth(A.shape[1]) * torch.mm(A**2, B**2).sqrt() + abs(beta) * C.abs()
    handed_on = (torch.mm(E**2, (X**2).T) + torch.mm(X**2, (E**2).T)).sqrt()
    added_up = growth(X.shape[1]) * torch.mm(X**2, (X**2).T).sqrt()
    return abs(alpha) * (handed_on + added_up) + abs(beta) * E
