# task: fused_hardshrink_dropout
# style: tl.rand with a seed that torch's generator draws anew for every call
import torch
import triton
import triton.language as tl


@triton.jit
def dropout_kernel(x_ptr, d_ptr, y_ptr, n, p, seed, KEEP: tl.constexpr, LAMBD: tl.constexpr, DROP: tl.constexpr, WRITE: tl.constexpr,
                   ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    if DROP:
        x = tl.where(tl.rand(seed, i) < p, 0.0, x * tl.full((BLOCK,), KEEP, ACC))
    if WRITE:
        tl.store(d_ptr + i, x.to(d_ptr.dtype.element_ty), mask=i < n)
    lam = tl.full((BLOCK,), LAMBD, ACC)
    tl.store(y_ptr + i, tl.where(tl.abs(x) <= lam, 0.0, x).to(y_ptr.dtype.element_ty), mask=i < n)


def fused_hardshrink_dropout(input, p=0.5, training=True, inplace=False, lambd=0.5):
    x = input.contiguous()
    y = torch.empty_like(x)
    drop = bool(training and p > 0)
    dropped = torch.empty_like(x) if drop and inplace else y
    n = x.numel()
    seed = int(torch.randint(0, 2**31, (1,)).item()) if drop else 0
    if n > 0:
        dropout_kernel[(triton.cdiv(n, 512),)](
            x, dropped, y, n, float(p), seed, KEEP=1 / (1 - p) if p < 1 else 0.0, LAMBD=float(lambd), DROP=drop, WRITE=drop and inplace,
            ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=512)
    if drop and inplace:
        input.copy_(dropped)
    return y
