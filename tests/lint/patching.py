"""Replacing what belongs to others."""

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


import time  # expect: clock_access
import builtins
import sys
import torch.nn.functional as F
from torch import Tensor
from unittest import mock  # expect: patching

t = torch
torch.randn = torch.zeros  # expect: patching
t.cuda.synchronize = lambda: None  # expect: patching
t.cuda.Event.elapsed_time = lambda *a: 0.0  # expect: patching
F.softmax, other = None, None  # expect: patching
Tensor.__eq__ = lambda a, b: True  # expect: patching
setattr(torch.testing, "assert_" + "close", None)  # expect: patching
del torch.allclose  # expect: patching
torch.__dict__["allclose"] = None  # expect: patching
torch.__dict__.update(allclose=None)  # expect: patching
vars(torch)["allclose"] = None  # expect: patching
time.perf_counter = lambda: 0.0  # expect: patching
builtins.print = None  # expect: patching
sys.stdout = None  # expect: patching
triton.runtime.JITFunction.run = None  # expect: patching
library = torch.library.Library("aten", "IMPL")  # expect: patching
kernel.run = None  # expect: patching=warn
torch.backends.cuda.matmul.allow_tf32 = True  # expect: patching=warn
for torch.pi in (1, 2):  # expect: patching
    pass


class Model(torch.nn.Module):
    """Attributes of one's own."""

    def __init__(self, x):
        """torch.randn = None in words."""
        super().__init__()
        self.forward = x
        self.weight = torch.nn.Parameter(torch.empty(3))
        self.weight.data = x
        setattr(self, "torch", x)


Model.extra = 3
x = torch.empty(3)
x.grad = None
x.requires_grad = False
local_library = torch.library.Library("mine", "DEF")
same = torch.pi == 3
