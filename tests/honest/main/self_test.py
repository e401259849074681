# task: nll_loss
# style: a self-test with torch's own operator, in a function that nothing but the main guard calls; assert_close inside
import math

import torch
import triton
import triton.language as tl


@triton.jit
def nll_kernel(x_ptr, t_ptr, w_ptr, l_ptr, n, C, inner, ignore, NONE: tl.constexpr, MEAN: tl.constexpr, WEIGHT: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), ACC)
    weights = tl.zeros((BLOCK,), ACC)
    first = tl.program_id(0) * BLOCK
    for s in range(first, n if not NONE else first + BLOCK, BLOCK):
        i = s + tl.arange(0, BLOCK)
        t = tl.load(t_ptr + i, mask=i < n, other=0)
        used = (i < n) & (t != ignore)
        x = tl.load(x_ptr + (i // inner).to(tl.int64) * C * inner + t * inner + i % inner, mask=used, other=0.0).to(ACC)
        w = tl.full((BLOCK,), 1.0, ACC)
        if WEIGHT:
            w = tl.load(w_ptr + t, mask=used, other=0.0).to(ACC)
        loss = tl.where(used, -w * x, 0.0)
        if NONE:
            tl.store(l_ptr + i, loss.to(l_ptr.dtype.element_ty), mask=i < n)
        total += loss
        weights += tl.where(used, w, 0.0)
    if not NONE:
        y = tl.sum(total)
        if MEAN:
            y = y / tl.sum(weights)
        tl.store(l_ptr, y.to(l_ptr.dtype.element_ty))


def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    x, t = input.contiguous(), target.contiguous()
    C = x.shape[0] if x.dim() == 1 else x.shape[1]
    none = reduction == "none"
    y = torch.empty(target.shape if none else (), dtype=x.dtype, device=x.device)
    n = t.numel()
    if y.numel() > 0:
        nll_kernel[(triton.cdiv(n, 256) if none else 1,)](
            x, t, weight.contiguous() if weight is not None else x, y, n, C, math.prod(x.shape[2:]), ignore_index,
            NONE=none, MEAN=reduction == "mean", WEIGHT=weight is not None, ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=256)
    return y


def test_nll_loss():
    x = torch.randn(33, 10, device="cuda").log_softmax(-1)
    t = torch.randint(0, 10, (33,), device="cuda")
    torch.testing.assert_close(nll_loss(x, t), torch.nn.functional.nll_loss(x, t))


if __name__ == "__main__":
    test_nll_loss()
    print("passed")
