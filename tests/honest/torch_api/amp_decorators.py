# task: sigmoid_fp16
# style: torch.no_grad, inference_mode-free autocast(enabled=False), custom_fwd and once_differentiable on an autograd.Function
import torch
import triton
import triton.language as tl
from torch.amp import custom_bwd, custom_fwd
from torch.autograd.function import once_differentiable


@triton.jit
def sigmoid_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    tl.store(y_ptr + i, tl.sigmoid(x).to(tl.float16), mask=i < n)


class Sigmoid(torch.autograd.Function):
    @staticmethod
    @custom_fwd(device_type="cuda")
    def forward(ctx, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        if x.numel() > 0:
            sigmoid_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), BLOCK=512)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    @once_differentiable
    @custom_bwd(device_type="cuda")
    def backward(ctx, grad):
        raise NotImplementedError


@torch.no_grad()
def sigmoid_fp16(input):
    return Sigmoid.apply(input)
