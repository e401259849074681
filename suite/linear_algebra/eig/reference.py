"""Eigenvalues and eigenvectors of a general matrix: the PyTorch reference."""
import torch


def eig(A):
    """Eigenvalues and, as columns, unit eigenvectors; complex."""
    return tuple(torch.linalg.eig(A))
