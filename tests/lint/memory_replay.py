"""The memory of the allocator."""

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


snapshot = torch.cuda.memory_snapshot()  # expect: memory_replay
raw = torch.cuda.caching_allocator_alloc(64)  # expect: memory_replay
more = torch.cuda.memory._snapshot()  # expect: memory_replay

out = torch.empty(3)
torch.cuda.empty_cache()
used = torch.cuda.memory_allocated()  # torch.cuda.memory_snapshot()
