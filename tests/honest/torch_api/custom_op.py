# task: gelu_bf16
# style: the kernel is registered as an operator of torch (torch.library.custom_op, register_fake) and called as one
import torch
import triton
import triton.language as tl


@triton.jit
def gelu_kernel(x_ptr, y_ptr, n, TANH: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    if TANH:
        c = tl.minimum(tl.maximum(x, -40.0), 40.0)
        y = tl.where(x < -40.0, 0.0, x / (1.0 + tl.exp(-1.5957691216057308 * (c + 0.044715 * c * c * c))))
    else:
        y = 0.5 * x * (1.0 + tl.erf(0.7071067811865476 * x))
    tl.store(y_ptr + i, y.to(tl.bfloat16), mask=i < n)


@torch.library.custom_op("honest::gelu_bf16", mutates_args=())
def gelu_op(x: torch.Tensor, tanh: bool) -> torch.Tensor:
    x = x.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        gelu_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), TANH=tanh, BLOCK=512)
    return y


@gelu_op.register_fake
def _(x, tanh):
    return torch.empty_like(x)


def gelu_bf16(input, approximate="none"):
    return gelu_op(input, approximate == "tanh")
