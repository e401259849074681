"""Powers with evenly spaced exponents: the PyTorch reference."""
import torch


def logspace(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    """base ** linspace(start, end, steps)."""
    return torch.logspace(start, end, steps, base, dtype=dtype, layout=layout or torch.strided, device=device,
                          requires_grad=requires_grad)
