# task: exp_sqrt
# expect: wrong_value|unwritten_output
# an autotuned kernel whose first configuration is right and whose second writes every other element

import torch
import triton
import triton.language as tl


@triton.jit
def exp_sqrt_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.exp(x.to(tl.float32) * 0.5)
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def honest(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        exp_sqrt_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    if out is not None:
        out.copy_(y)
        return out
    return y


@triton.autotune(configs=[triton.Config({"STEP": 1}), triton.Config({"STEP": 2})], key=["n"])
@triton.jit
def tuned_kernel(x_ptr, y_ptr, n, STEP: tl.constexpr):
    offsets = (tl.program_id(0) * 1024 + tl.arange(0, 1024)) * STEP
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(y_ptr + offsets, tl.exp(x.to(tl.float32) * 0.5).to(y_ptr.dtype.element_ty), mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        tuned_kernel[(triton.cdiv(n, 1024),)](x, y, n)
    if out is not None:
        return out.copy_(y)
    return y
