"""Inner attributes that lead to everything."""

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


a = ().__class__.__base__.__subclasses__()  # expect: dunder_escape
b = entry.__globals__  # expect: dunder_escape
c = getattr(entry, "__glo" + "bals__")  # expect: dunder_escape
d = entry.__code__.co_consts  # expect: dunder_escape
try:
    pass
except ValueError as error:
    e = error.__traceback__.tb_frame.f_back  # expect: dunder_escape
f = (lambda: 0).__closure__  # expect: dunder_escape
entry.__code__ = d  # expect: dunder_escape

g = entry.__name__ + type(entry).__name__ + "__globals__"  # entry.__globals__
h = entry.__class__.__name__


class Model(torch.nn.Module):
    """Ordinary dunders."""

    def __init__(self):
        """__subclasses__ in words."""
        super().__init__()
        self.name = self.__class__.__name__
        self.__call__ = self.__dict__
