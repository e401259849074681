# task: tanh_fp16
# style: torch.library.triton_op and wrap_triton, as torch's own tutorial has it
import torch
import triton
import triton.language as tl
from torch.library import triton_op, wrap_triton


@triton.jit
def tanh_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    a = tl.abs(x)
    e = tl.exp(-2.0 * a)
    s = x * x
    near = a * (1.0 + s * (-0.3333333333 + s * (0.1333333333 + s * (-0.0539682540 + s * 0.0218694885))))
    y = tl.where(a < 0.25, near, (1.0 - e) / (1.0 + e))
    tl.store(y_ptr + i, tl.where(x < 0, -y, y).to(tl.float16), mask=i < n)


@triton_op("honest::tanh_fp16", mutates_args={})
def tanh_op(x: torch.Tensor) -> torch.Tensor:
    y = torch.empty_like(x, memory_format=torch.contiguous_format)
    n = x.numel()
    if n > 0:
        wrap_triton(tanh_kernel)[(triton.cdiv(n, 512),)](x.contiguous(), y, n, BLOCK=512)
    return y


def tanh_fp16(input):
    return tanh_op(input)
