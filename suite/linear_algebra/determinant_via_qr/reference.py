"""Determinant: the PyTorch reference (by LU: QR of a batch takes PyTorch one call per matrix)."""
import torch


def determinant_via_qr(A, *, mode="reduced", out=None):
    """The determinant of every matrix; into `out` when it is given. `mode` changes nothing."""
    result = torch.linalg.det(A)
    return result if out is None else out.copy_(result)


def magnitude(A, *, mode="reduced", out=None):
    """What moving every element by its own size, or its column's root mean square if that is larger, can do."""
    u, s, vt = torch.linalg.svd(A)
    eye = torch.eye(s.shape[-1], dtype=torch.bool, device=A.device)
    others = torch.where(eye, torch.ones_like(s).unsqueeze(-2), s.unsqueeze(-2)).prod(-1)
    cofactors = (u * others.unsqueeze(-2)) @ vt
    size = torch.maximum(A.abs(), A.square().mean(-2, keepdim=True).sqrt())
    return (cofactors.abs() * size).sum((-2, -1))
