"""Sign bits in Triton: a float is looked at as the integer of its size, whose sign is the same bit."""
import torch
import triton
import triton.language as tl

BLOCK = 2048
AS_INTEGER = {torch.float64: tl.int64, torch.float32: tl.int32, torch.float16: tl.int16, torch.bfloat16: tl.int16}


@triton.jit
def sign(x_ptrs, y_ptrs, mask, AS_INTEGER: tl.constexpr):
    x = tl.load(x_ptrs, mask=mask)
    if AS_INTEGER is not None:
        x = x.to(AS_INTEGER, bitcast=True)
    tl.store(y_ptrs, x < 0, mask=mask)


@triton.jit
def signbit_kernel(x_ptr, y_ptr, n, AS_INTEGER: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:
        # A whole block needs no mask, so a thread can store several flags at a time even when n is odd.
        sign(x_ptr + offsets, y_ptr + offsets, None, AS_INTEGER)
    else:
        sign(x_ptr + offsets, y_ptr + offsets, offsets < n, AS_INTEGER)


def signbit(input, out=None):
    x = input.contiguous()
    y = out if out is not None and out.is_contiguous() else torch.empty_like(x, dtype=torch.bool)
    if x.numel() > 0:
        numbers = x.view(torch.uint8) if x.dtype == torch.bool else x  # a bool is never negative
        signbit_kernel[(triton.cdiv(x.numel(), BLOCK),)](
            numbers, y, x.numel(), AS_INTEGER.get(x.dtype), BLOCK, num_warps=8
        )
    return y if out is None or y is out else out.copy_(y)
