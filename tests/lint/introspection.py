"""Walking over the objects of the judge."""

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


import gc  # expect: introspection=warn
import inspect  # expect: introspection=warn
import sys
import traceback
from gc import get_objects as everything  # expect: introspection

objects = gc.get_objects()  # expect: introspection
gc.collect()  # expect: introspection=warn
stack = inspect.stack()  # expect: introspection
signature = inspect.signature(entry)  # expect: introspection=warn
frame = sys._getframe(1)  # expect: introspection
modules = sys.modules["__main__"]  # expect: introspection
torch_modules = torch.sys.modules  # expect: introspection
sys.settrace(None)  # expect: introspection
hooks_off = torch.utils._python_dispatch._disable_current_modes()  # expect: introspection, patching=warn
read_by = torch._C.TensorBase.numpy  # expect: introspection, native_access=warn
arguments = sys.argv  # expect: introspection=note

version = sys.version_info
traceback.print_exc
inspector = "gc.get_objects() and inspect.stack()"  # sys._getframe


class Model:
    """gc and inspect of one's own."""

    def inspect(self, gc):
        """sys.modules in words."""
        return self.inspect(gc.get_objects)
