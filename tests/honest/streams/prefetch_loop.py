# task: Lion
# style: a ring of streams, one for each block of the parameter, joined at the end
import torch
import triton
import triton.language as tl

PIECE = 4096


@triton.jit
def lion_kernel(p_ptr, g_ptr, m_ptr, first, last, LR: tl.constexpr, B1: tl.constexpr, B2: tl.constexpr, DECAY: tl.constexpr, BLOCK: tl.constexpr):
    i = first + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < last
    p = tl.load(p_ptr + i, mask=mask, other=0)
    g = tl.load(g_ptr + i, mask=mask, other=0)
    m = tl.load(m_ptr + i, mask=mask, other=0)
    ty: tl.constexpr = p_ptr.dtype.element_ty
    lr = tl.full((BLOCK,), LR, ty)
    b1 = tl.full((BLOCK,), B1, ty)
    b2 = tl.full((BLOCK,), B2, ty)
    c1 = tl.full((BLOCK,), 1 - B1, ty)
    c2 = tl.full((BLOCK,), 1 - B2, ty)
    u = b1 * m + c1 * g
    step = tl.where(u > 0, lr, tl.where(u < 0, -lr, 0.0))
    p = p * tl.full((BLOCK,), 1 - LR * DECAY, ty) - step
    tl.store(p_ptr + i, p, mask=mask)
    tl.store(m_ptr + i, b2 * m + c2 * g, mask=mask)


def lion_step(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    p, g, m = (t.contiguous() for t in (param, grad, exp_avg))
    current = torch.cuda.current_stream()
    streams = [torch.cuda.Stream() for _ in range(min(4, triton.cdiv(p.numel(), PIECE)))]
    for s in streams:
        s.wait_stream(current)
    for k, first in enumerate(range(0, p.numel(), PIECE)):
        last = min(first + PIECE, p.numel())
        with torch.cuda.stream(streams[k % len(streams)]):
            lion_kernel[(triton.cdiv(last - first, 1024),)](
                p, g, m, first, last, LR=lr, B1=beta1, B2=beta2, DECAY=weight_decay, BLOCK=1024)
    for s in streams:
        current.wait_stream(s)
    if p is not param:
        param.copy_(p)
    if m is not exp_avg:
        exp_avg.copy_(m)
    return param, exp_avg
