# task: mse_loss
# style: autograd.Function with saved tensors and a backward kernel; apply() is what the entry calls
import torch
import triton
import triton.language as tl


@triton.jit
def loss_kernel(x_ptr, t_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC) - tl.load(t_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, (d * d).to(y_ptr.dtype.element_ty), mask=i < n)


@triton.jit
def total_kernel(x_ptr, t_ptr, y_ptr, n, divisor, ACC: tl.constexpr, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), ACC)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        d = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC) - tl.load(t_ptr + i, mask=i < n, other=0.0).to(ACC)
        acc += d * d
    tl.store(y_ptr, (tl.sum(acc) / divisor).to(y_ptr.dtype.element_ty))


@triton.jit
def backward_kernel(x_ptr, t_ptr, g_ptr, dx_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.load(x_ptr + i, mask=i < n) - tl.load(t_ptr + i, mask=i < n)
    tl.store(dx_ptr + i, 2 * d * tl.load(g_ptr + i, mask=i < n), mask=i < n)


class MSE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, t, reduction):
        ctx.save_for_backward(x, t)
        n = x.numel()
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        if reduction == "none":
            y = torch.empty_like(x)
            if n > 0:
                loss_kernel[(triton.cdiv(n, 1024),)](x, t, y, n, ACC=acc, BLOCK=1024)
        else:
            y = torch.empty((), dtype=x.dtype, device=x.device)
            total_kernel[(1,)](x, t, y, n, n if reduction == "mean" else 1, ACC=acc, BLOCK=2048)
        return y

    @staticmethod
    def backward(ctx, grad):
        x, t = ctx.saved_tensors
        dx = torch.empty_like(x)
        backward_kernel[(triton.cdiv(x.numel(), 1024),)](x, t, grad.expand_as(x).contiguous(), dx, x.numel(), BLOCK=1024)
        return dx, None, None


def mse_loss(input, target, reduction="mean"):
    shape = torch.broadcast_shapes(input.shape, target.shape)
    return MSE.apply(input.expand(shape).contiguous(), target.expand(shape).contiguous(), reduction)
