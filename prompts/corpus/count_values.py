"""Histogram by atomics: how often each integer of 0..bins-1 occurs. Values outside are passed over; the counters start at zero."""
import torch
import triton
import triton.language as tl


@triton.jit
def count_values_kernel(x_ptr, counts_ptr, n, bins, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=-1)
    good = inside & (x >= 0) & (x < bins)
    tl.atomic_add(counts_ptr + tl.where(good, x, 0), tl.full((BLOCK,), 1, tl.int32), mask=good)


def count_values(x, bins):
    x = x.contiguous()
    counts = torch.zeros(bins, dtype=torch.int32, device=x.device)
    n = x.numel()
    if n > 0 and bins > 0:
        count_values_kernel[(triton.cdiv(n, 1024),)](x, counts, n, bins, BLOCK=1024)
    return counts
