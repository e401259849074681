# task: relu_bf16
# style: tl.join, tl.split, tl.interleave, reshape and permute inside of the kernel, to no effect on the values
import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    pairs = tl.reshape(x, (BLOCK // 2, 2))
    even, odd = tl.split(pairs)
    even = tl.where(even < 0, 0.0, even)
    odd = tl.where(odd < 0, 0.0, odd)
    together = tl.interleave(even, odd)
    again = tl.reshape(tl.permute(tl.join(even, odd), (0, 1)), (BLOCK,))
    y = tl.where(i % 2 == 0, together, again).to(tl.bfloat16)
    tl.store(y_ptr + i, y, mask=i < n)


def relu_bf16(input):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        relu_kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    return y
