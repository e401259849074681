"""Reference of rand: torch.rand."""
import torch


def rand(*size, generator=None, out=None, dtype=None, device=None, requires_grad=False):
    return torch.rand(*size, generator=generator, out=out, dtype=dtype, device=device,
                      requires_grad=requires_grad)
