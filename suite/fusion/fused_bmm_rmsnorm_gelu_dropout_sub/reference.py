"""Batched matrix product, RMS normalization, GELU, dropout, subtraction: the PyTorch reference."""
import torch
import torch.nn.functional as F


def _activated(input1, input2, normalized_shape, eps, approximate):
    """gelu(rms_norm(bmm(input1, input2)))."""
    shape = [normalized_shape] if isinstance(normalized_shape, int) else list(normalized_shape)
    return F.gelu(F.rms_norm(torch.bmm(input1, input2), shape, eps=eps), approximate=approximate)


def fused_bmm_rmsnorm_gelu_dropout_sub(
    input1, input2, other, normalized_shape, dropout_p=0.5, training=True, approximate="none", eps=1e-05, *, out=None
):
    """dropout(gelu(rms_norm(bmm(input1, input2)))) - other."""
    y = _activated(input1, input2, normalized_shape, eps, approximate)
    result = F.dropout(y, p=dropout_p, training=training) - other
    return result if out is None else out.copy_(result)


def survivors(
    input1, input2, other, normalized_shape, dropout_p=0.5, training=True, approximate="none", eps=1e-05, *, out=None
):
    """What an element that dropout keeps becomes (with dropout_p = 1 none is kept)."""
    y = _activated(input1, input2, normalized_shape, eps, approximate)
    if training and dropout_p == 1:
        return torch.zeros_like(y) - other
    return (y / (1 - dropout_p) if training else y) - other


def dropped(
    input1, input2, other, normalized_shape, dropout_p=0.5, training=True, approximate="none", eps=1e-05, *, out=None
):
    """What an element that dropout drops becomes."""
    return torch.zeros_like(torch.bmm(input1, input2)) - other
