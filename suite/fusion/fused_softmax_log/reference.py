"""Softmax of logarithms: the PyTorch reference."""
import torch


def fused_softmax_log(input, dim=-1, dtype=None):
    """softmax(log(input)) along `dim`, without rounding to half precision on the way."""
    dtype = dtype or input.dtype
    wide = torch.promote_types(torch.promote_types(input.dtype, dtype), torch.float32)
    return torch.softmax(torch.log(input.to(wide)), dim).to(dtype)
