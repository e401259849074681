# task: exp_sqrt
# style: device functions, one returns a tuple; static_range, constexpr globals
import torch
import triton
import triton.language as tl

HALF = tl.constexpr(0.5)
PARTS: tl.constexpr = tl.constexpr(2)


@triton.jit
def place(pid, i, n, BLOCK: tl.constexpr):
    offsets = (pid * PARTS + i) * BLOCK + tl.arange(0, BLOCK)
    return offsets, offsets < n


@triton.jit
def root_of_exp(x):
    return tl.exp(x * HALF)


@triton.jit
def kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(axis=0)
    for i in tl.static_range(PARTS):
        offsets, mask = place(pid, i, n, BLOCK)
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
        tl.store(y_ptr + offsets, root_of_exp(x), mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        kernel[(triton.cdiv(n, 512),)](x, y, n, tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=256)
    if out is not None:
        out.copy_(y)
        return out
    return y
