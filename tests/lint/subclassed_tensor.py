"""Tensors that are more than tensors."""

import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), 0.0)


def entry(x):
    """Call the kernel."""
    kernel[(1,)](x, BLOCK=16)
    return x


from torch import Tensor


class Lazy(torch.Tensor):  # expect: subclassed_tensor
    """Compute later."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):  # expect: subclassed_tensor
        """Compute now."""
        return func(*args)


class Other(Tensor):  # expect: subclassed_tensor
    """The same by another name."""


made = type("Made", (torch.Tensor,), {})  # expect: subclassed_tensor
lazy = torch.empty(3).as_subclass(Lazy)  # expect: subclassed_tensor
lazy.__class__ = Lazy  # expect: subclassed_tensor


class Model(torch.nn.Module):
    """Honest: class Lazy(torch.Tensor) in words."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Annotations are no bases."""
        return x if isinstance(x, torch.Tensor) else torch.Tensor(x)


class Op(torch.autograd.Function):
    """Honest."""
