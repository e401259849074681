"""Mean of input + alpha * other: the PyTorch reference."""
import torch


def fused_add_mean(input, other, dim=None, alpha=1, keepdim=False, dtype=None, out=None):
    """The mean of input + alpha * other over `dim`, all dimensions when it is None."""
    total = torch.add(input, other, alpha=alpha)
    if dim is None:
        dim = tuple(range(total.dim()))
    return torch.mean(total, dim=dim, keepdim=keepdim, dtype=dtype, out=out)
