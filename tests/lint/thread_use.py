"""Threads."""

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


import threading  # expect: thread_use
from concurrent.futures import ThreadPoolExecutor  # expect: thread_use
import asyncio  # expect: thread_use
from threading import Lock  # expect: thread_use=note

threads = 4  # threading.Thread(target=entry)
text = "import threading"
