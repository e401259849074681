"""sigmoid(input @ vec) - alpha * other: the PyTorch reference."""
import torch


def fused_mv_sigmoid_sub(input, vec, other, alpha=1, *, out=None):
    """Matrix-vector product, sigmoid, minus alpha times other."""
    result = torch.sub(torch.sigmoid(torch.mv(input, vec)), other, alpha=alpha)
    return result if out is None else out.copy_(result)
