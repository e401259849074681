"""Leaving early."""

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


import atexit  # expect: exit_call
import os
import signal  # expect: exit_call
import sys


def leave(code):
    """All the ways out."""
    if code == 1:
        sys.exit(0)  # expect: exit_call=warn
    if code == 2:
        os._exit(0)  # expect: exit_call
    if code == 3:
        raise SystemExit(0)  # expect: exit_call=warn
    if code == 4:
        quit()  # expect: exit_call=warn
    os.kill(os.getpid(), 9)  # expect: exit_call
    getattr(os, "_ex" + "it")(0)  # expect: exit_call


leave(0)
try:
    pass
except SystemExit:
    pass
exit_code = 0  # sys.exit(0)
window = torch.signal.windows


class Model:
    """Methods of one's own."""

    def exit(self, signal):
        """os._exit(0) in words."""
        return self.exit(signal)


if __name__ == "__main__":
    sys.exit(0)
