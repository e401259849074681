"""A matrix rebuilt from its singular value decomposition: the PyTorch reference."""
import torch


def fused_svd_reconstruct(A):
    """U diag(s) V^T, NaN for a matrix that has no decomposition because it is not finite."""
    finite = torch.isfinite(A).all(-1, keepdim=True).all(-2, keepdim=True)
    u, s, vh = torch.linalg.svd(torch.where(finite, A, torch.zeros_like(A)), full_matrices=False)
    return torch.where(finite, (u * s.unsqueeze(-2)) @ vh, torch.full_like(A, float("nan")))
