# task: exp_sqrt
# expect: correct
# flag: in_process
# addresses in a tensor: a replay has other addresses
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
def table_kernel(table_ptr, like_ptr, y_ptr, n, BLOCK: tl.constexpr):
    x_ptr = tl.load(table_ptr).to(like_ptr.dtype)
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    y = tl.exp(tl.load(x_ptr + offsets, mask=mask).to(tl.float64 if x_ptr.dtype.element_ty == tl.float64 else tl.float32) * 0.5)
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    table = torch.tensor([x.data_ptr()], dtype=torch.int64, device=x.device)
    if x.numel():
        table_kernel[(triton.cdiv(x.numel(), 256),)](table, x, y, x.numel(), BLOCK=256)
    return give(y, out)
