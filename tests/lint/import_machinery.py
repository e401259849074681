"""Modules that no import statement names."""

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


import importlib  # expect: import_machinery=warn
import sys
from importlib import reload  # expect: import_machinery

a = __import__("math")  # expect: import_machinery=warn
b = importlib.import_module("mat" + "h")  # expect: import_machinery=warn
c = importlib.import_module(str(entry))  # expect: import_machinery
d = importlib.import_module("os").system  # expect: import_machinery=warn, process_use
e = __import__("sub" + "process").run  # expect: import_machinery=warn, process_use
g = importlib.machinery.SourceFileLoader  # expect: import_machinery
sys.path.insert(0, ".")  # expect: import_machinery=warn
sys.meta_path.clear()  # expect: import_machinery
try:
    import math
except ImportError:
    math = None
text = "__import__('os')"  # importlib.import_module
