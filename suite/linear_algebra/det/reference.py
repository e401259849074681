"""Determinant: the PyTorch reference (LAPACK's LU with partial pivoting)."""
import torch


def det(A):
    """The determinant of every matrix."""
    return torch.linalg.det(A)


def magnitude(A):
    """What moving every element by its own size, or its column's root mean square if that is larger, can do."""
    u, s, vt = torch.linalg.svd(A)
    eye = torch.eye(s.shape[-1], dtype=torch.bool, device=A.device)
    others = torch.where(eye, torch.ones_like(s).unsqueeze(-2), s.unsqueeze(-2)).prod(-1)
    cofactors = (u * others.unsqueeze(-2)) @ vt
    size = torch.maximum(A.abs(), A.square().mean(-2, keepdim=True).sqrt())
    return (cofactors.abs() * size).sum((-2, -1))
