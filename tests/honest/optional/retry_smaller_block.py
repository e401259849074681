# task: softmax
# style: try a large tile first; where the compiler or the card refuses, another kernel of the file does the work
import math

import torch
import triton
import triton.language as tl
from triton.runtime.errors import OutOfResources


@triton.jit
def one_tile(x_ptr, y_ptr, n, inner, ACC: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    base = (pid // inner).to(tl.int64) * n * inner + pid % inner
    k = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + base + k * inner, mask=k < n, other=float("-inf")).to(ACC)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(y_ptr + base + k * inner, (e / tl.sum(e, 0)).to(y_ptr.dtype.element_ty), mask=k < n)


@triton.jit
def looped(x_ptr, y_ptr, n, inner, ACC: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    base = (pid // inner).to(tl.int64) * n * inner + pid % inner
    k = tl.arange(0, BLOCK)
    top = tl.full((BLOCK,), float("-inf"), ACC)
    for start in range(0, n, BLOCK):
        top = tl.maximum(top, tl.load(x_ptr + base + (start + k) * inner, mask=start + k < n, other=float("-inf")).to(ACC))
    high = tl.max(top, 0)
    total = tl.zeros((BLOCK,), ACC)
    for start in range(0, n, BLOCK):
        total += tl.exp(tl.load(x_ptr + base + (start + k) * inner, mask=start + k < n, other=float("-inf")).to(ACC) - high)
    total = tl.sum(total, 0)
    for start in range(0, n, BLOCK):
        x = tl.load(x_ptr + base + (start + k) * inner, mask=start + k < n, other=float("-inf")).to(ACC)
        tl.store(y_ptr + base + (start + k) * inner, (tl.exp(x - high) / total).to(y_ptr.dtype.element_ty), mask=start + k < n)


def softmax(input, dim, dtype=None):
    dtype = dtype or input.dtype
    x = input.contiguous()
    dim %= x.dim()
    y = torch.empty(x.shape, dtype=dtype, device=x.device)
    if x.numel() == 0:
        return y
    n, inner = x.shape[dim], math.prod(x.shape[dim + 1:])
    acc = tl.float64 if torch.float64 in (x.dtype, dtype) else tl.float32
    grid = (x.numel() // n,)
    try:
        if n > 4096:
            raise RuntimeError("too wide for one tile")
        one_tile[grid](x, y, n, inner, ACC=acc, BLOCK=triton.next_power_of_2(n))
    except (OutOfResources, RuntimeError):
        looped[grid](x, y, n, inner, ACC=acc, BLOCK=1024)
    return y
