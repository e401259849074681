# task: exp_sqrt
# style: a scratch buffer that a module keeps between calls, grown when needed
import torch
import triton
import triton.language as tl

_scratch = {}


def scratch(n, dtype, device):
    old = _scratch.get((dtype, device))
    if old is None or old.numel() < n:
        old = _scratch[(dtype, device)] = torch.empty(max(n, 1024), dtype=dtype, device=device)
    return old


@triton.jit
def halve(x_ptr, t_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(t_ptr + offsets, tl.load(x_ptr + offsets, mask=mask).to(t_ptr.dtype.element_ty) * 0.5, mask=mask)


@triton.jit
def exponent(t_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, tl.exp(tl.load(t_ptr + offsets, mask=mask)).to(y_ptr.dtype.element_ty), mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        t = scratch(n, torch.float64 if x.dtype == torch.float64 else torch.float32, x.device)
        halve[(triton.cdiv(n, 512),)](x, t, n, BLOCK=512)
        exponent[(triton.cdiv(n, 512),)](t, y, n, BLOCK=512)
    if out is not None:
        out.copy_(y)
        return out
    return y
