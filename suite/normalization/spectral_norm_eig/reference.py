"""Spectral norm: the PyTorch reference."""
import torch


def spectral_norm_eig(A, *, out=None):
    """The root of the largest eigenvalue of A^T A, which is the operator 2-norm of A."""
    values = torch.linalg.eigvalsh(A.transpose(-1, -2) @ A)
    result = values[..., -1].clamp(min=0).sqrt()
    return result if out is None else out.copy_(result)
