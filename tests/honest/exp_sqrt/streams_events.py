# task: exp_sqrt
# style: streams, events, synchronize, timing that is thrown away
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0, eviction_policy="evict_first").to(ACC)
    tl.store(y_ptr + offsets, tl.exp(x * 0.5), mask=mask, cache_modifier=".cs")


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            start.record()
            kernel[(triton.cdiv(n, 1024),)](x, y, n, tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=1024)
            end.record()
        torch.cuda.current_stream().wait_stream(stream)
        torch.cuda.synchronize()
        start.elapsed_time(end)
    if out is not None:
        out.copy_(y)
        return out
    return y
