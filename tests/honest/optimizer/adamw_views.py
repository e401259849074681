# task: AdamW
# style: four tensors updated in place through a loop over zip; a fallback copy where a layout is not dense
import torch
import triton
import triton.language as tl


@triton.jit
def adamw_kernel(p_ptr, g_ptr, m_ptr, v_ptr, n, SHRINK: tl.constexpr, B1: tl.constexpr, B2: tl.constexpr, STEP: tl.constexpr, ROOT: tl.constexpr, EPS: tl.constexpr, BLOCK: tl.constexpr):
    ty: tl.constexpr = p_ptr.dtype.element_ty
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    p = tl.load(p_ptr + i, mask=i < n, other=0.0) * tl.full((BLOCK,), SHRINK, ty)
    g = tl.load(g_ptr + i, mask=i < n, other=0.0)
    m = tl.full((BLOCK,), B1, ty) * tl.load(m_ptr + i, mask=i < n, other=0.0) + tl.full((BLOCK,), 1 - B1, ty) * g
    v = tl.full((BLOCK,), B2, ty) * tl.load(v_ptr + i, mask=i < n, other=0.0) + tl.full((BLOCK,), 1 - B2, ty) * g * g
    tl.store(m_ptr + i, m, mask=i < n)
    tl.store(v_ptr + i, v, mask=i < n)
    tl.store(p_ptr + i, p - tl.full((BLOCK,), STEP, ty) * m / (tl.sqrt(v) / tl.full((BLOCK,), ROOT, ty) + tl.full((BLOCK,), EPS, ty)), mask=i < n)


def adamw_step(param, grad, exp_avg, exp_avg_sq, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-08, weight_decay=0.01):
    given = (param, exp_avg, exp_avg_sq)
    p, m, v = dense = [t.contiguous() for t in given]
    n = param.numel()
    if n > 0:
        adamw_kernel[(triton.cdiv(n, 512),)](
            p, grad.contiguous(), m, v, n, SHRINK=1 - lr * weight_decay, B1=beta1, B2=beta2, STEP=lr / (1 - beta1**step),
            ROOT=(1 - beta2**step) ** 0.5, EPS=eps, BLOCK=512)
    for mine, theirs in zip(dense, given):
        if mine is not theirs:
            theirs.copy_(mine)
    return given
