# task: mul_bf16
# style: a kernel made by calling triton.jit on a plain function, then wrapped by triton.autotune, no decorator at all
import torch
import triton
import triton.language as tl


def _mul(x_ptr, o_ptr, y_ptr, n, NUMBER: tl.constexpr, OTHER: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    o = tl.full((BLOCK,), OTHER, tl.float32) if NUMBER else tl.load(o_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    tl.store(y_ptr + i, (x * o).to(tl.bfloat16), mask=i < n)


jitted = triton.jit(_mul)
tuned = triton.autotune(configs=[triton.Config({"BLOCK": b}) for b in (128, 512)], key=["n"])(jitted)


def mul_bf16(input, other):
    number = isinstance(other, (int, float))
    shape = input.shape if number else torch.broadcast_shapes(input.shape, other.shape)
    x = input.expand(shape).contiguous()
    o = x if number else other.expand(shape).contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        tuned[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, o, y, x.numel(), NUMBER=number, OTHER=float(other) if number else 1.0)
    return y
