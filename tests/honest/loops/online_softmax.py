# task: cross_entropy
# style: online softmax; a second kernel divides by a weight sum that atomics collected in zeroed memory
import math

import torch
import triton
import triton.language as tl


@triton.jit
def loss_kernel(x_ptr, t_ptr, w_ptr, l_ptr, s_ptr, C, inner, ignore, NONE: tl.constexpr, WEIGHT: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    base = x_ptr + (pid // inner).to(tl.int64) * C * inner + pid % inner
    t = tl.load(t_ptr + pid)
    used = t != ignore
    top = tl.full((), float("-inf"), ACC)
    total = tl.zeros((), ACC)
    k = tl.arange(0, BLOCK)
    for s in range(0, C, BLOCK):
        x = tl.load(base + (s + k) * inner, mask=s + k < C, other=float("-inf")).to(ACC)
        high = tl.maximum(top, tl.max(x, 0))
        shift = tl.where(high == float("-inf"), 0.0, high)
        total = total * tl.exp(top - shift) + tl.sum(tl.exp(x - shift), 0)
        top = high
    at = tl.load(base + t * inner, mask=used, other=0.0).to(ACC)
    w = tl.full((), 1.0, ACC)
    if WEIGHT:
        w = tl.load(w_ptr + t, mask=used, other=0.0).to(ACC)
    loss = tl.where(used, w * (tl.log(total) + top - at), 0.0)
    if NONE:
        tl.store(l_ptr + pid, loss.to(l_ptr.dtype.element_ty))
    else:
        tl.atomic_add(s_ptr, loss)
        tl.atomic_add(s_ptr + 1, tl.where(used, w, 0.0))


@triton.jit
def finish_kernel(s_ptr, y_ptr, MEAN: tl.constexpr):
    y = tl.load(s_ptr)
    if MEAN:
        y = y / tl.load(s_ptr + 1)
    tl.store(y_ptr, y.to(y_ptr.dtype.element_ty))


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean"):
    x, t = input.contiguous(), target.contiguous()
    C = x.shape[0] if x.dim() == 1 else x.shape[1]
    inner = math.prod(x.shape[2:])
    wide = x.dtype == torch.float64
    none = reduction == "none"
    sums = torch.zeros(2, dtype=torch.float64 if wide else torch.float32, device=x.device)
    y = torch.empty(target.shape if none else (), dtype=x.dtype, device=x.device)
    w = weight.contiguous() if weight is not None else x
    if t.numel() > 0:
        loss_kernel[(t.numel(),)](x, t, w, y, sums, C, inner, ignore_index, NONE=none, WEIGHT=weight is not None,
                                  ACC=tl.float64 if wide else tl.float32, BLOCK=min(1024, max(16, triton.next_power_of_2(C))))
    if not none:
        finish_kernel[(1,)](sums, y, MEAN=reduction == "mean")
    return y
