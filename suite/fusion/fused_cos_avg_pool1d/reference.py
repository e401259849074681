"""Cosine, then average pooling along the last dimension: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_cos_avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """avg_pool1d(cos(input))."""
    return F.avg_pool1d(torch.cos(input), kernel_size, stride, padding, ceil_mode, count_include_pad)
