"""Smallest value of GELU: the PyTorch reference."""
import torch


def _gelu(input, approximate):
    """GELU in float32 at least."""
    wide = torch.promote_types(input.dtype, torch.float32)
    return torch.nn.functional.gelu(input.to(wide), approximate=approximate)


def min_gelu(input, dim=None, keepdim=False, approximate="none", out=None):
    """The smallest gelu(input): of all elements, or along `dim` with its index."""
    y = _gelu(input, approximate)
    if dim is None:
        result = torch.min(y).to(input.dtype)
        return result if out is None else out.copy_(result)
    values, indices = torch.min(y, dim=dim, keepdim=keepdim)
    return values.to(input.dtype), indices


def domain(input, dim=None, keepdim=False, approximate="none", out=None):
    """Values count everywhere, an index where all inputs whose GELU is nearly the smallest are equal."""
    if dim is None:
        return torch.ones((), dtype=torch.bool, device=input.device)
    y = _gelu(input, approximate)
    near = y - torch.amin(y, dim=dim, keepdim=True) <= 1e-5
    lowest = torch.where(near, input, float("inf")).amin(dim=dim, keepdim=keepdim)
    highest = torch.where(near, input, -float("inf")).amax(dim=dim, keepdim=keepdim)
    return torch.ones_like(lowest, dtype=torch.bool), ~(lowest < highest)
