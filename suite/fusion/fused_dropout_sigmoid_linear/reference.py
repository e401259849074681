"""Linear layer, sigmoid, dropout: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_dropout_sigmoid_linear(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """dropout(sigmoid(linear(input)), p)."""
    return F.dropout(torch.sigmoid(F.linear(input, weight, bias)), p=p, training=training, inplace=inplace)


def magnitude(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """The sum of the absolute values of the terms, through the slope of the sigmoid and the scale of what is kept."""
    terms = F.linear(input.abs(), weight.abs(), None if bias is None else bias.abs())
    s = torch.sigmoid(F.linear(input, weight, bias))
    return terms.masked_fill(terms.isinf(), 0) * s * (1 - s) / (1 - p if training and p < 1 else 1)


def survivors(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """What an element that dropout keeps becomes (with p = 1 none is kept)."""
    s = torch.sigmoid(F.linear(input, weight, bias))
    if training and p == 1:
        return torch.zeros_like(s)
    return s / (1 - p) if training else s
