"""The methods by which the host gets at a tensor's memory, watched."""

import functools

import torch
from trusted import private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

METHODS = ("numpy", "tolist", "__array__", "__dlpack__")


def watched_methods(host_read):
    """(name, replacement) of each: `host_read(tensor)` is called first."""

    def watched(method):
        @functools.wraps(method)
        def call(this, *args, **kwargs):
            host_read(this)
            return method(this, *args, **kwargs)

        return call

    return [(name, watched(getattr(torch.Tensor, name))) for name in METHODS]
