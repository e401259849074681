"""Operators that a candidate registers itself (torch.library): their kernels are its own Python code, so that both
dispatch modes enter them and watch what runs inside, instead of taking them for operators of a library."""

import torch
from trusted import private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

BUILT_IN = frozenset(torch._C._dispatch_get_all_op_names())  # before any candidate: what comes later is python's
KEYS = tuple((name, getattr(torch._C.DispatchKey, name)) for name in ("CUDA", "CPU", "CompositeExplicitAutograd"))
_has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key


def kernel_key(func):
    """The dispatch key under which the kernel of such an operator stands; None for torch's own operators."""
    schema = func._schema
    name = schema.name + "." * bool(schema.overload_name) + schema.overload_name
    if name in BUILT_IN:
        return None
    return next((key for text, key in KEYS if _has_kernel(name, text)), None)
