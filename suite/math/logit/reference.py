"""Logit: the PyTorch reference."""
import torch


def logit(input, eps=None, out=None):
    """log(x / (1 - x)) of input, clamped to [eps, 1 - eps] first when eps is given."""
    result = torch.logit(input, eps)
    return result if out is None else out.copy_(result)
