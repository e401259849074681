"""Polygamma functions: the PyTorch reference."""
import torch


def polygamma(n, input, *, out=None):
    """The n-th derivative of digamma, elementwise. Order 1 is zeta(2, x); torch's own is off by 5e-10 in float64."""
    result = torch.special.polygamma(n, input)
    if n == 1 and input.dtype == torch.float64:
        result = torch.where(input.isfinite(), torch.special.zeta(torch.full_like(input, 2.0), input), result)
    return result if out is None else out.copy_(result)
