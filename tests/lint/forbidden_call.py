"""The operators that the task excludes, and one that it allows."""
# forbidden: torch.softmax, torch._softmax, torch.nn.functional.softmax, .softmax
# allowed: torch.nn.functional.pad

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


import torch.nn.functional as F
from torch import softmax as soft  # expect: forbidden_call

a = F.softmax(torch.ones(3), dim=0)  # expect: forbidden_call
b = torch.ones(3).softmax(0)  # expect: forbidden_call
c = torch.ops.aten._softmax.default  # expect: forbidden_call
d = getattr(F, "soft" + "max")  # expect: forbidden_call
e = torch.exp(a)
f = torch.ones(3).exp()
g = "torch.softmax(x)"  # torch.softmax(x)


class Model:
    """Methods of one's own."""

    def softmax(self, x):
        """Own softmax."""
        return x

    def forward(self, x):
        """Use it."""
        return self.softmax(x)
