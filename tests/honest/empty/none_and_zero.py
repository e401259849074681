# task: mse_loss
# style: every special case leaves early: empty tensors, one element, equal tensors are NOT a special case
import torch
import triton
import triton.language as tl


@triton.jit
def squares(x_ptr, t_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC) - tl.load(t_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, (d * d).to(y_ptr.dtype.element_ty), mask=i < n)


@triton.jit
def total(x_ptr, y_ptr, n, count, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), x_ptr.dtype.element_ty)
    for s in range(0, n, BLOCK):
        i = s + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr, (tl.sum(acc, 0) / count).to(y_ptr.dtype.element_ty))


def mse_loss(input, target, reduction="mean"):
    shape = torch.broadcast_shapes(input.shape, target.shape)
    x, t = input.expand(shape).contiguous(), target.expand(shape).contiguous()
    n = x.numel()
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    acc = tl.float64 if wide == torch.float64 else tl.float32
    if n == 0 and reduction == "none":
        return torch.empty_like(x)
    losses = torch.empty(shape, dtype=x.dtype if reduction == "none" else wide, device=x.device)
    if n > 0:
        squares[(triton.cdiv(n, 512),)](x, t, losses, n, ACC=acc, BLOCK=512)
    if reduction == "none":
        return losses
    y = torch.empty((), dtype=x.dtype, device=x.device)
    total[(1,)](losses, y, n, n if reduction == "mean" else 1, BLOCK=1024)
    return y
