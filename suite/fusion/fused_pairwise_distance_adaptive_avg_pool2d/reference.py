"""The distance of adaptively pooled images: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_pairwise_distance_adaptive_avg_pool2d(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """The p-norm, over channels and positions, of the difference of the pooled images, plus eps."""
    difference = F.adaptive_avg_pool2d(x1, output_size) - F.adaptive_avg_pool2d(x2, output_size)
    return torch.linalg.vector_norm(difference, ord=p, dim=(1, 2, 3), keepdim=keepdim) + eps
