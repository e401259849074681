# task: binary_cross_entropy
# style: an optional speed-up by an environment flag that is off, isinstance checks, ValueError for wrong shapes
import os

import torch
import triton
import triton.language as tl

FAST = os.environ.get("BCE_FAST_LOG", "") not in ("", "0")


@triton.jit
def bce(x, t, FAST: tl.constexpr):
    if FAST:
        a, b = tl.log2(x) * 0.6931471805599453, tl.log2(1.0 - x) * 0.6931471805599453
    else:
        a, b = tl.log(x), tl.log(1.0 - x)
    a = tl.where(x > 0, tl.maximum(a, -100.0), -100.0)
    b = tl.where(x < 1, tl.maximum(b, -100.0), -100.0)
    return -(t * a + (1.0 - t) * b)


@triton.jit
def none_kernel(x_ptr, t_ptr, w_ptr, y_ptr, n, WEIGHT: tl.constexpr, FAST: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    y = bce(tl.load(x_ptr + i, mask=i < n, other=0.5).to(ACC), tl.load(t_ptr + i, mask=i < n, other=0.5).to(ACC), FAST)
    if WEIGHT:
        y *= tl.load(w_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, y.to(y_ptr.dtype.element_ty), mask=i < n)


@triton.jit
def sum_kernel(x_ptr, t_ptr, w_ptr, y_ptr, n, count, WEIGHT: tl.constexpr, FAST: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), ACC)
    for s in range(0, n, BLOCK):
        i = s + tl.arange(0, BLOCK)
        y = bce(tl.load(x_ptr + i, mask=i < n, other=0.5).to(ACC), tl.load(t_ptr + i, mask=i < n, other=0.5).to(ACC), FAST)
        if WEIGHT:
            y *= tl.load(w_ptr + i, mask=i < n, other=0.0).to(ACC)
        acc += tl.where(i < n, y, 0.0)
    tl.store(y_ptr, (tl.sum(acc) / count).to(y_ptr.dtype.element_ty))


def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    if input.shape != target.shape:
        raise ValueError(f"target has shape {tuple(target.shape)}, input {tuple(input.shape)}")
    x, t = input.contiguous(), target.contiguous()
    w = weight.expand(x.shape).contiguous() if isinstance(weight, torch.Tensor) else x
    n = x.numel()
    options = dict(WEIGHT=weight is not None, FAST=FAST, ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=512)
    if reduction == "none":
        y = torch.empty_like(x)
        if n > 0:
            none_kernel[(triton.cdiv(n, 512),)](x, t, w, y, n, **options)
        return y
    y = torch.empty((), dtype=x.dtype, device=x.device)
    sum_kernel[(1,)](x, t, w, y, n, n if reduction == "mean" else 1, **options)
    return y
