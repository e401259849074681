"""Other processes."""

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
import os as operating
import subprocess  # expect: process_use
from os import system as s  # expect: process_use
import multiprocessing as mp  # expect: process_use
import torch.multiprocessing  # expect: process_use

operating.popen("ls")  # expect: process_use
os.fork()  # expect: process_use
torch.os.system("ls")  # expect: process_use
getattr(os, "sys" + "tem")("ls")  # expect: process_use

cores = os.cpu_count()
name = os.path.join("a", "b")
process = "subprocess.run"  # os.system("ls")


class Model:
    """Methods of one's own."""

    def system(self, subprocess):
        """os.system in words."""
        return self.system(subprocess.run)


def never_called():
    """Dead code is a note."""
    os.system("ls")  # expect: process_use=note


if __name__ == "__main__":
    os.system("nvidia-smi")
