"""Repeat elements, then log-softmax: the PyTorch reference."""
import torch


def fused_repeat_interleave_log_softmax(input, repeats, dim=None, *, output_size=None, dtype=None, out=None):
    """log_softmax of repeat_interleave(input), both along `dim` (the flattened input when it is None)."""
    repeated = torch.repeat_interleave(input, repeats, dim=dim, output_size=output_size)
    result = torch.log_softmax(repeated, dim=0 if dim is None else dim, dtype=dtype)
    return result if out is None else out.copy_(result)
