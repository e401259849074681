"""Scaled product with a lower triangle: the PyTorch reference."""
import torch


def tril_mm_and_scale(A, B, alpha, beta):
    """beta * (alpha * (tril(A) @ B))."""
    return beta * (alpha * torch.mm(torch.tril(A), B))


def magnitude(A, B, alpha, beta):
    """The same with absolute values everywhere."""
    return tril_mm_and_scale(A.abs(), B.abs(), abs(alpha), abs(beta))
