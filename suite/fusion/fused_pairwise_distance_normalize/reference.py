"""Distances of normalised rows: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_pairwise_distance_normalize(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """The distance of every normalised row of x1 to every normalised row of x2, eps_distance at least."""
    a = F.normalize(x1, p=p_norm, dim=-1, eps=eps_norm).unsqueeze(1)
    b = F.normalize(x2, p=p_norm, dim=-1, eps=eps_norm).unsqueeze(0)
    distance = torch.linalg.vector_norm(a - b, ord=p_norm, dim=-1, keepdim=keepdim)
    return distance.clamp_min_(eps_distance)
