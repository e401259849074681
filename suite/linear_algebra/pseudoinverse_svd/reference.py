"""Pseudo-inverse by singular value decomposition: the PyTorch reference."""
import torch


def pseudoinverse_svd(A, full_matrices=True, rcond=1e-15, out=None):
    """V diag(1/s) U^T over the singular values above the cut."""
    u, s, vh = torch.linalg.svd(A, full_matrices=False)
    cut = max(rcond, max(A.shape[-2:]) * torch.finfo(A.dtype).eps)
    inverse = torch.where(s > cut * s[..., :1], 1 / s, torch.zeros_like(s))
    result = (vh.transpose(-1, -2) * inverse.unsqueeze(-2)) @ u.transpose(-1, -2)
    return result if out is None else out.copy_(result)
