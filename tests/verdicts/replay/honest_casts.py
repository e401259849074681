# task: exp_sqrt
# expect: correct
# flag: replayed
# casts, copies and views around the launch
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


def exp_sqrt(input, out=None):
    wide = torch.float64 if input.dtype == torch.float64 else torch.float32
    x = input.to(wide).t() if input.dim() == 2 else input.to(wide)
    y = torch.empty(x.shape, dtype=wide, device=x.device)
    launch(x.contiguous(), y)
    y = y.t() if input.dim() == 2 else y
    return give(y.to(input.dtype).contiguous(), out)
