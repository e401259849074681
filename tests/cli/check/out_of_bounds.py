"""exp_sqrt for `kbx check`: out of bounds."""

import torch
import triton
import triton.language as tl


@triton.jit
def exp_sqrt_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets).to(tl.float64 if x_ptr.dtype.element_ty == tl.float64 else tl.float32)
    tl.store(out_ptr + offsets, tl.exp(x * 0.5), mask=offsets < n)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        exp_sqrt_kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
    if out is not None:
        out.copy_(y)
        return out
    return y

