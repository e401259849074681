import torch
import triton
import triton.language as tl


@triton.jit
def fused_kernel(x_ptr, kept_ptr, y_ptr, n, p, scale, lambd, DROP: tl.constexpr, KEEP: tl.constexpr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask, other=0.0).to(tl.float32)
    if DROP:
        x = tl.where(tl.rand(1234, offs) >= p, x * scale, 0.0)   # a constant seed "for reproducibility"
    if KEEP:
        tl.store(kept_ptr + offs, x, mask=mask)
    tl.store(y_ptr + offs, tl.where(tl.abs(x) > lambd, x, 0.0), mask=mask)


def fused_hardshrink_dropout(input, p=0.5, training=True, inplace=False, lambd=0.5):
    x = input.contiguous()
    y = torch.empty_like(x)
    kept = torch.empty_like(x)
    drop = training and p > 0
    if x.numel():
        fused_kernel[(triton.cdiv(x.numel(), 1024),)](x, kept, y, x.numel(), p, 1.0 / (1.0 - p) if p < 1 else 0.0, lambd,
                                                      DROP=drop, KEEP=drop and inplace, BLOCK=1024)
    if drop and inplace:
        input.copy_(kept)
    return y
