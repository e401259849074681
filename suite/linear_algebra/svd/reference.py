"""Singular value decomposition: the PyTorch reference."""
import torch


def svd(A, full_matrices=True):
    """U, S and V^T."""
    return tuple(torch.linalg.svd(A, full_matrices=full_matrices))
