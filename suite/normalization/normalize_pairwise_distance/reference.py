"""Row distances divided by their norm: the PyTorch reference."""
import torch.nn.functional as F


def normalize_pairwise_distance(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    """pairwise_distance over the last dimension, then normalize along dim_norm of what remains."""
    distance = F.pairwise_distance(x1, x2, p=p_distance, eps=eps_distance, keepdim=keepdim)
    return F.normalize(distance, p=p_norm, dim=dim_norm, eps=eps_norm)
