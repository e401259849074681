"""torch.compile under many names."""

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


import re
from torch import compile as c  # expect: torch_compile
import torch._inductor.config  # expect: torch_compile
import torch as t

f = torch.compile(entry)  # expect: torch_compile
g = t.compile  # expect: torch_compile
h = getattr(torch, "com" + "pile")(entry)  # expect: torch_compile
i = getattr(t, "elipmoc"[::-1])  # expect: torch_compile
j = getattr(t, "".join(["com", "pile"]))  # expect: torch_compile
k = torch.__dict__["compile"]  # expect: torch_compile
m = vars(torch).get("compile")  # expect: torch_compile
n = torch._dynamo.optimize()(entry)  # expect: torch_compile
o = torch.jit.script(entry)  # expect: torch_compile=warn
for module in (t,):
    p = module.compile  # expect: torch_compile
q = (w := torch).compile  # expect: torch_compile
word = f"{'com'}pile"
r = getattr(w, word)  # expect: torch_compile
s = __import__("torch").compile  # expect: torch_compile, import_machinery=warn


@torch.compile(mode="max-autotune")  # expect: torch_compile
def decorated(x, hidden=t):
    """A default argument is an alias too."""
    return hidden.compile(x)  # expect: torch_compile


pattern = re.compile("torch.compile")
torch_compile = "torch.compile"  # torch.compile(entry)


class Model:
    """self.compile is one's own."""

    def compile(self):
        """torch.compile is not used."""
        self.compiled = self.compile()
        return torch.compiler.disable


def with_parameter(torch):
    """Here torch is somebody else."""
    return torch.compile
