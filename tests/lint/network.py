"""Talking to other machines."""

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


import socket  # expect: network
import urllib.request  # expect: network
from urllib.parse import quote
import requests as r  # expect: network

torch.hub.load("a", "b")  # expect: network
torch.distributed.init_process_group("nccl")  # expect: network

ready = torch.distributed.is_initialized()
url = "http://localhost"  # requests.get(url)


def fetch(requests):
    """Here requests is a list."""
    return requests.get(0)
