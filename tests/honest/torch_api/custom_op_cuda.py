# task: relu_fp16
# style: torch.library.custom_op with device_types="cuda" and an operator that mutates its argument
import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.where(x <= 0, 0.0, x).to(tl.float16), mask=i < n)


@torch.library.custom_op("honest::relu_into", mutates_args=("y",), device_types="cuda")
def relu_into(x: torch.Tensor, y: torch.Tensor) -> None:
    relu_kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)


def relu_fp16(input):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        relu_into(x, y)
    return y
