"""Real power of a symmetric matrix: the PyTorch reference."""
import torch


def matrix_power_eig(A, k, *, out=None):
    """V diag(l^k) V^T with the eigenvalues l and orthonormal eigenvectors V of A."""
    values, vectors = torch.linalg.eigh(A)
    result = (vectors * values.pow(k).unsqueeze(-2)) @ vectors.transpose(-1, -2)
    return result if out is None else out.copy_(result)
