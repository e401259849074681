"""Best approximation of rank k: the PyTorch reference."""
import torch


def low_rank_svd_approximation(A, k, *, full_matrices=True, out=None):
    """The first k terms of the singular value decomposition of A."""
    u, s, vh = torch.linalg.svd(A, full_matrices=full_matrices)
    result = (u[..., :k] * s[..., None, :k]) @ vh[..., :k, :]
    return result if out is None else out.copy_(result)
