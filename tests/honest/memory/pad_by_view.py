# task: fused_cos_signbit
# style: one allocation that is larger than needed; both results are views of it
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

BLOCK = 256


@triton.jit
def kernel(x_ptr, y_ptr, s_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = libdevice.cos(tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC))
    tl.store(y_ptr + i, c.to(y_ptr.dtype.element_ty), mask=i < n)
    tl.store(s_ptr + i, (c < 0).to(tl.int8), mask=i < n)


def fused_cos_signbit(input):
    x = input.contiguous()
    n = x.numel()
    padded = triton.cdiv(n, BLOCK) * BLOCK  # whole blocks: the tail is never looked at
    y = torch.empty(padded, dtype=x.dtype, device=x.device)
    s = torch.empty(padded, dtype=torch.int8, device=x.device)
    if n > 0:
        kernel[(padded // BLOCK,)](x, y, s, n, ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=BLOCK)
    return y.as_strided((n,), (1,)).view(x.shape), s.view(torch.bool).as_strided((n,), (1,)).view(x.shape)
