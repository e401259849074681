"""Gather, then masked fill: the PyTorch reference."""
import torch


def fused_gather_masked_fill(input, dim, index, mask, value, *, sparse_grad=False, out=None):
    """gather(input, dim, index) with value where mask is true."""
    if isinstance(value, torch.Tensor):
        value = value.to(input.dtype)
    result = torch.gather(input, dim, index, sparse_grad=sparse_grad).masked_fill(mask, value)
    return result if out is None else out.copy_(result)
