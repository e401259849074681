"""Variables and knobs."""

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
from os import environ

os.environ["TRITON_INTERPRET"] = "1"  # expect: environment_tampering
environ["LD_PRE" + "LOAD"] = "x"  # expect: environment_tampering
os.environ[str(entry)] = "1"  # expect: environment_tampering
os.environ.update(A="1")  # expect: environment_tampering
os.putenv("PYTHONPATH", "x")  # expect: environment_tampering
triton.knobs.runtime.interpret = True  # expect: environment_tampering
os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # expect: environment_tampering=warn
del os.environ["HOME"]  # expect: environment_tampering=warn
home = os.environ.get("HOME")  # expect: environment_tampering=note
path = os.environ["PATH"]  # expect: environment_tampering=note

settings = {}
settings["TRITON_INTERPRET"] = "1"  # os.environ["TRITON_INTERPRET"] = "1"


class Model:
    """Attributes of one's own."""

    def __init__(self):
        """os.environ in words."""
        self.environ = {}
        self.environ["LD_PRELOAD"] = "x"
