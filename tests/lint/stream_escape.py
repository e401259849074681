"""Streams and graphs of one's own."""

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


stream = torch.cuda.Stream()  # expect: stream_escape
graph = torch.cuda.CUDAGraph()  # expect: stream_escape
with torch.cuda.stream(stream):  # expect: stream_escape
    pass

current = torch.cuda.current_stream()
torch.cuda.synchronize()
text = "torch.cuda.Stream()"  # torch.cuda.CUDAGraph()
