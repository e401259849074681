"""Cosine similarity over channels, then average pooling: the PyTorch reference."""
import torch.nn.functional as F


def fused_avg_pool2d_cosine_similarity(x1, x2, kernel_size, stride=None, padding=0, eps=1e-08):
    """avg_pool2d of the image of cosine similarities along dim 1."""
    similarity = F.cosine_similarity(x1, x2, dim=1, eps=eps)
    return F.avg_pool2d(similarity.unsqueeze(1), kernel_size, stride=stride, padding=padding)
