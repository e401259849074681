"""Files."""

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


import os
import pathlib  # expect: file_access=note
import shutil  # expect: file_access
import sys
from pathlib import Path  # expect: file_access=note

f = open("a")  # expect: file_access
with open("b", "w") as g:  # expect: file_access
    pass
opener = open  # expect: file_access
torch.save({}, "c")  # expect: file_access
os.write(1, b"x")  # expect: file_access
os.makedirs("d")  # expect: file_access
p = Path("e") / "f"
p.write_text("x")  # expect: file_access
answer = input()  # expect: file_access=warn

here = os.path.dirname("x") + os.getcwd()
sys.stdout.write("x")
open_interval = (0, 1)  # open("a")


class Model:
    """Methods of one's own."""

    def open(self, input):
        """open("a") in words."""
        return self.open(input.data)
