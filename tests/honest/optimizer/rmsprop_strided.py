# task: RMSProp
# style: a device function that returns two values; in-place stores through `tl.store(ptr, ..., mask)` of the inputs
import torch
import triton
import triton.language as tl


@triton.jit
def update(p, g, s, lr, alpha, rest, eps, decay):
    g = g + decay * p
    s = alpha * s + rest * g * g
    return p - lr * g / (tl.sqrt(s) + eps), s


@triton.jit
def rmsprop_kernel(p_ptr, g_ptr, s_ptr, n, LR: tl.constexpr, ALPHA: tl.constexpr, EPS: tl.constexpr, DECAY: tl.constexpr, BLOCK: tl.constexpr):
    ty: tl.constexpr = p_ptr.dtype.element_ty
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    p = tl.load(p_ptr + i, mask=i < n, other=0.0)
    g = tl.load(g_ptr + i, mask=i < n, other=0.0)
    s = tl.load(s_ptr + i, mask=i < n, other=0.0)
    p, s = update(p, g, s, tl.full((BLOCK,), LR, ty), tl.full((BLOCK,), ALPHA, ty), tl.full((BLOCK,), 1 - ALPHA, ty), tl.full((BLOCK,), EPS, ty), tl.full((BLOCK,), DECAY, ty))
    tl.store(p_ptr + i, p, mask=i < n)
    tl.store(s_ptr + i, s, mask=i < n)


def rmsprop_step(param, grad, square_avg, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0.0):
    p, g, s = param.contiguous(), grad.contiguous(), square_avg.contiguous()
    if p.numel() > 0:
        rmsprop_kernel[(triton.cdiv(p.numel(), 512),)](p, g, s, p.numel(), LR=lr, ALPHA=alpha, EPS=eps, DECAY=weight_decay, BLOCK=512)
    if p is not param:
        param.copy_(p)
    if s is not square_avg:
        square_avg.copy_(s)
    return param, square_avg
