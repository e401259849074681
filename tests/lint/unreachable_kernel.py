"""A decoy: the kernel is only called by code that nothing calls."""
# expect-file: unreachable_kernel

import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), 0.0)


def entry(x):
    """Say kernel and call nothing."""
    # kernel[(1,)](x, BLOCK=16)
    return torch.relu(x) if "kernel" else x


def never(x):
    """Nobody calls this: kernel[(1,)](x)."""
    kernel[(1,)](x, BLOCK=16)
    return entry(x)


if __name__ == "__main__":
    never(torch.empty(16))
