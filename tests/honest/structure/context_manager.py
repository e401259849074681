# task: fused_softmax_log
# style: a context manager of one's own around the launch (contextlib.contextmanager, ExitStack, nullcontext)
import contextlib
import math

import torch
import triton
import triton.language as tl


@contextlib.contextmanager
def on_device(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        stack.enter_context(torch.cuda.device(x.device) if x.is_cuda else contextlib.nullcontext())
        yield x


@triton.jit
def kernel(x_ptr, y_ptr, n, inner, ACC: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    base = (pid // inner).to(tl.int64) * n * inner + pid % inner
    k = tl.arange(0, BLOCK)
    top = tl.zeros((BLOCK,), ACC)
    for s in range(0, n, BLOCK):
        x = tl.load(x_ptr + base + (s + k) * inner, mask=s + k < n, other=0.0).to(ACC)
        top = tl.maximum(top, tl.where(x != x, 0.0, x))
    high = tl.max(top, 0)
    scale = tl.where(high > 0, high, 1.0)
    total = tl.zeros((BLOCK,), ACC)
    bad = tl.zeros((BLOCK,), tl.int32)
    for s in range(0, n, BLOCK):
        x = tl.load(x_ptr + base + (s + k) * inner, mask=s + k < n, other=0.0).to(ACC)
        bad += ((x != x) | (x < 0)).to(tl.int32)
        total += x / scale
    sum_ = tl.where(tl.sum(bad, 0) > 0, float("nan"), tl.sum(total, 0))
    for s in range(0, n, BLOCK):
        x = tl.load(x_ptr + base + (s + k) * inner, mask=s + k < n, other=0.0).to(ACC)
        tl.store(y_ptr + base + (s + k) * inner, (x / scale / sum_).to(y_ptr.dtype.element_ty), mask=s + k < n)


def fused_softmax_log(input, dim=-1, dtype=None):
    dtype = dtype or input.dtype
    with on_device(input.contiguous()) as x:
        dim %= x.dim()
        y = torch.empty(x.shape, dtype=dtype, device=x.device)
        if x.numel() > 0:
            n, inner = x.shape[dim], math.prod(x.shape[dim + 1:])
            acc = tl.float64 if torch.float64 in (x.dtype, dtype) else tl.float32
            kernel[(x.numel() // n,)](x, y, n, inner, ACC=acc, BLOCK=min(1024, max(16, triton.next_power_of_2(n))))
    return y
