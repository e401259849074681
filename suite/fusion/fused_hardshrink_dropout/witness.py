"""Dropout, then hard shrinkage, in one pass in Triton.

The mask comes from a counter-based generator: a new seed every call, one counter an element.
The other numbers are constants of the kernel: as plain arguments they would be float32, also where the data are
float64.
"""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def hardshrink_dropout_kernel(x_ptr, y_ptr, dropped_ptr, n, p, scale: tl.constexpr, lambd: tl.constexpr, seed,
                              DROP: tl.constexpr, INPLACE: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
    if DROP:
        x = tl.where(tl.rand(seed, offsets) >= p, x * scale, 0.0)
    if INPLACE:
        tl.store(dropped_ptr + offsets, x, mask=mask)
    tl.store(y_ptr + offsets, tl.where((x >= -lambd) & (x <= lambd), 0.0, x), mask=mask)


def fused_hardshrink_dropout(input, p=0.5, training=True, inplace=False, lambd=0.5):
    x = input.contiguous()
    y = torch.empty_like(x)
    drop = training and p > 0
    if x.numel() > 0:
        seed = int(torch.randint(2**31 - 1, (), device="cpu")) if drop else 0
        scale = 1 / (1 - p) if p < 1 else 0.0
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        hardshrink_dropout_kernel[(triton.cdiv(x.numel(), BLOCK),)](
            x, y, x, x.numel(), float(p), float(scale), float(lambd), seed,
            DROP=drop, INPLACE=drop and inplace, ACC=acc, BLOCK=BLOCK, num_warps=4,
        )
    if drop and inplace and x.data_ptr() != input.data_ptr():
        input.copy_(x)
    return y
