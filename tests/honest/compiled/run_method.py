# task: mul_fp16
# style: kernel.run(..., grid=..., warmup=False), the method behind the brackets
import torch
import triton
import triton.language as tl


@triton.jit
def mul_kernel(x_ptr, o_ptr, y_ptr, n, NUMBER: tl.constexpr, OTHER: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    if NUMBER:
        x *= tl.full((BLOCK,), OTHER, tl.float32)
    else:
        x *= tl.load(o_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    tl.store(y_ptr + i, x.to(tl.float16), mask=i < n)


def mul_fp16(input, other):
    number = not torch.is_tensor(other)
    shape = input.shape if number else torch.broadcast_shapes(input.shape, other.shape)
    x = input.expand(shape).contiguous()
    o = x if number else other.expand(shape).contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        mul_kernel.run(x, o, y, n, NUMBER=number, OTHER=float(other) if number else 0.0, BLOCK=256, grid=(triton.cdiv(n, 256), 1, 1), warmup=False)
    return y
