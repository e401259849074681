"""GELU on int8 in Triton: load one byte, compute in float32, truncate, store one byte."""
import torch
import triton
import triton.language as tl

BLOCK = 4096  # 16 bytes a thread with 8 warps


@triton.jit
def gelu(x, TANH: tl.constexpr):
    if TANH:
        inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)
        # 0.5 * (1 + tanh(z)) is the logistic function of 2 z; exp of a large number may overflow to inf, which gives 0.
        phi = 1.0 / (1.0 + tl.exp(-2.0 * inner))
    else:
        phi = 0.5 * (1.0 + tl.erf(x * 0.7071067811865476))
    return x * phi


@triton.jit
def gelu_kernel(x_ptr, y_ptr, n, TANH: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:
        # A whole block needs no mask, so a thread can move 16 bytes at a time even when n is odd.
        x = tl.load(x_ptr + offsets).to(tl.float32)
        tl.store(y_ptr + offsets, gelu(x, TANH).to(tl.int8))
    else:
        x = tl.load(x_ptr + offsets, mask=offsets < n, other=0).to(tl.float32)
        tl.store(y_ptr + offsets, gelu(x, TANH).to(tl.int8), mask=offsets < n)


def gelu_int8(input, approximate="none"):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        gelu_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, y, x.numel(), approximate == "tanh", BLOCK, num_warps=8)
    return y
