# task: exp_sqrt
# style: a noinline device function, a while loop, several blocks a program
import torch
import triton
import triton.language as tl


@triton.jit(noinline=False)
def body(x):
    return tl.exp(x * 0.5)


@triton.jit(do_not_specialize=["n"])
def kernel(x_ptr, y_ptr, n, per, ACC: tl.constexpr, BLOCK: tl.constexpr):
    start = tl.program_id(0) * per
    i = 0
    while i < per:
        offsets = start + i + tl.arange(0, BLOCK)
        mask = (offsets < n) & (offsets < start + per)
        tl.store(y_ptr + offsets, body(tl.load(x_ptr + offsets, mask=mask, other=0).to(ACC)), mask=mask)
        i += BLOCK


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        per = 3 * 128
        kernel[(triton.cdiv(n, per), 1, 1)](x, y, n, per, tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=128)
    if out is not None:
        out.copy_(y)
        return out
    return y
