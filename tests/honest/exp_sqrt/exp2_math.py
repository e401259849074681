# task: exp_sqrt
# style: exp2 with a constant, math functions of libdevice's kin, fp32 upcast in where
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, n, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=-float("inf"))
    if WIDE:
        y = tl.exp(x * 0.5)
    else:
        y = tl.math.exp2(x.to(tl.float32) * 0.7213475204444817)
    tl.store(y_ptr + offsets, y, mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        kernel[(triton.cdiv(n, 256),)](x, y, n, x.dtype == torch.float64, BLOCK=256)
    if out is not None:
        out.copy_(y)
        return out
    return y
