"""Reference of rand: torch.rand."""
import torch


def rand(
    *size, generator=None, out=None, dtype=None,
    layout=torch.strided, device=None, requires_grad=False, pin_memory=False,
):
    return torch.rand(*size, generator=generator, out=out, dtype=dtype, layout=layout, device=device,
                      requires_grad=requires_grad, pin_memory=pin_memory)
