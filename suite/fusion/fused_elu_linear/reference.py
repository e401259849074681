"""Linear layer, ELU: the PyTorch reference."""
import torch.nn.functional as F


def fused_elu_linear(input, weight, bias=None, alpha=1.0, inplace=False):
    """elu(linear(input))."""
    return F.elu(F.linear(input, weight, bias), alpha=alpha, inplace=inplace)


def magnitude(input, weight, bias=None, alpha=1.0, inplace=False):
    """The sum of the absolute values of the terms of each output; the slope of ELU is at most max(1, |alpha|)."""
    terms = F.linear(input.abs(), weight.abs(), None if bias is None else bias.abs())
    return max(1, abs(alpha)) * terms.masked_fill(terms.isinf(), 0)
