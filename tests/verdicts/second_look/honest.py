# task: exp_sqrt
# expect: correct
# warns: nothing
# a constant that the kernel reads, made on the device

import torch
import triton
import triton.language as tl


@triton.jit
def exp_scaled(x_ptr, y_ptr, scale_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float64 if x_ptr.dtype.element_ty == tl.float64 else tl.float32)
    y = tl.exp(x * tl.load(scale_ptr))
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    scale = torch.tensor([0.5], device=x.device)
    n = x.numel()
    if n:
        exp_scaled[(triton.cdiv(n, 256),)](x, y, scale, n, BLOCK=256)
    if out is not None:
        out.copy_(y)
        return out
    return y
