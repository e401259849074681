# task: SGD
# style: parameters and momentum updated in place; a missing buffer is allocated by torch.empty and returned
import torch
import triton
import triton.language as tl


@triton.jit
def sgd_kernel(p_ptr, g_ptr, b_ptr, n, LR: tl.constexpr, MOMENTUM: tl.constexpr, DECAY: tl.constexpr, DAMP: tl.constexpr,
               NESTEROV: tl.constexpr, FIRST: tl.constexpr, BLOCK: tl.constexpr):
    ty: tl.constexpr = p_ptr.dtype.element_ty
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    p = tl.load(p_ptr + i, mask=i < n, other=0.0)
    g = tl.load(g_ptr + i, mask=i < n, other=0.0) + tl.full((BLOCK,), DECAY, ty) * p
    if MOMENTUM != 0:
        momentum = tl.full((BLOCK,), MOMENTUM, ty)
        if FIRST:
            b = g
        else:
            b = momentum * tl.load(b_ptr + i, mask=i < n, other=0.0) + tl.full((BLOCK,), 1 - DAMP, ty) * g
        tl.store(b_ptr + i, b, mask=i < n)
        g = g + momentum * b if NESTEROV else b
    tl.store(p_ptr + i, p - tl.full((BLOCK,), LR, ty) * g, mask=i < n)


def sgd_step(param, grad, momentum_buffer=None, lr=0.1, momentum=0.9, weight_decay=0.0, dampening=0.0, nesterov=False):
    p, g = param.contiguous(), grad.contiguous()
    first = momentum_buffer is None
    if momentum != 0:
        b = torch.empty_like(p) if first else momentum_buffer.contiguous()
    else:
        b = p
    n = p.numel()
    if n > 0:
        sgd_kernel[(triton.cdiv(n, 512),)](p, g, b, n, LR=float(lr), MOMENTUM=float(momentum), DECAY=float(weight_decay), DAMP=float(dampening),
                                           NESTEROV=bool(nesterov), FIRST=first, BLOCK=512)
    if p is not param:
        param.copy_(p)
    if momentum == 0:
        return param, momentum_buffer
    if first:
        return param, b
    if b is not momentum_buffer:
        momentum_buffer.copy_(b)
    return param, momentum_buffer
