"""Batched matrix product, dropout, GELU: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_bmm_dropout_gelu(
    input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None
):
    """gelu(dropout(bmm(input1, input2), p))."""
    z = F.dropout(torch.bmm(input1, input2), p=p, training=training, inplace=inplace)
    result = F.gelu(z, approximate=approximate)
    return result if out is None else out.copy_(result)


def survivors(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """What an element that dropout keeps becomes (with p = 1 none is kept)."""
    z = torch.bmm(input1, input2)
    if training and p == 1:
        return torch.zeros_like(z)
    return F.gelu(z / (1 - p) if training else z, approximate=approximate)


def magnitude(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """The sum of the absolute values of the terms, scaled as what is kept; the slope of GELU is at most 1.13."""
    return 1.13 * torch.bmm(input1.abs(), input2.abs()) / (1 - p if training and p < 1 else 1)
