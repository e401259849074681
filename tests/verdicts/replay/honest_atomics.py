# task: exp_sqrt
# expect: correct
# flag: replayed
# torch.zeros, updated by atomics
import torch
import triton
import triton.language as tl


@triton.jit
def exp_sqrt_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.exp(x.to(tl.float64 if x_ptr.dtype.element_ty == tl.float64 else tl.float32) * 0.5)
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def launch(x, y):
    n = x.numel()
    if n:
        exp_sqrt_kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
    return y


def give(y, out):
    if out is None:
        return y
    out.copy_(y)
    return out


@triton.jit
def add_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    y = tl.exp(tl.load(x_ptr + offsets, mask=mask).to(tl.float64 if x_ptr.dtype.element_ty == tl.float64 else tl.float32) * 0.5)
    tl.atomic_add(y_ptr + offsets, y, mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.zeros(x.shape, dtype=torch.float64 if x.dtype == torch.float64 else torch.float32, device=x.device)
    if x.numel():
        add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    return give(y.to(input.dtype), out)
