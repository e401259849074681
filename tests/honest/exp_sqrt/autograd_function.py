# task: exp_sqrt
# style: an autograd.Function with forward and backward kernels behind a module
import torch
import triton
import triton.language as tl


@triton.jit
def forward_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, tl.exp(tl.load(x_ptr + offsets, mask=mask).to(ACC) * 0.5), mask=mask)


@triton.jit
def backward_kernel(y_ptr, g_ptr, d_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(d_ptr + offsets, 0.5 * tl.load(y_ptr + offsets, mask=mask) * tl.load(g_ptr + offsets, mask=mask), mask=mask)


class ExpSqrt(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        if x.numel():
            acc = tl.float64 if x.dtype == torch.float64 else tl.float32
            forward_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), acc, BLOCK=512)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        grad = grad.contiguous()
        dx = torch.empty_like(grad)
        backward_kernel[(triton.cdiv(y.numel(), 512),)](y, grad, dx, y.numel(), BLOCK=512)
        return dx


class Model(torch.nn.Module):
    def forward(self, x):
        return ExpSqrt.apply(x)


model = Model()


@torch.no_grad()
def exp_sqrt(input, out=None):
    y = model(input)
    if out is not None:
        out.copy_(y)
        return out
    return y
