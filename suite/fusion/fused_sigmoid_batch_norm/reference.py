"""Batch normalization, sigmoid: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_sigmoid_batch_norm(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05
):
    """sigmoid(batch_norm(input))."""
    y = F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)
    return torch.sigmoid(y)
