"""Linear layer, log-softmax: the PyTorch reference."""
import torch.nn.functional as F


def fused_log_softmax_linear(input, weight, bias=None, dim=-1, dtype=None):
    """log_softmax(linear(input)) along `dim`."""
    return F.log_softmax(F.linear(input, weight, bias), dim=dim, dtype=dtype)


def magnitude(input, weight, bias=None, dim=-1, dtype=None):
    """The sum of the absolute values of the terms of each logit, and of the largest that it is held against."""
    total = F.linear(input.abs(), weight.abs(), None if bias is None else bias.abs())
    total = total if dtype is None else total.to(dtype)
    return total + total.amax(dim, keepdim=True)
