"""A library does everything; @triton.jit stands in this text only."""
# expect-file: no_triton_kernel

import torch
import triton


def entry(x):
    """Use @triton.jit? No."""
    return torch.softmax(x, -1)


# @triton.jit
# def kernel(x): ...
NOTE = "@triton.jit"
