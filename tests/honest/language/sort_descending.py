# task: relu_fp16
# style: a bitcast trick: halves are compared as integers; tl.static_assert, tl.device_print behind a flag that is off
import torch
import triton
import triton.language as tl

PRINT = tl.constexpr(False)


@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK % 32 == 0)
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    bits = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.int16, bitcast=True)
    nan = (bits & 0x7FFF) > 0x7C00
    y = tl.where((bits < 0) & (nan == 0), 0, bits)
    if PRINT:
        tl.device_print("bits", bits)
    tl.store(y_ptr + i, y.to(tl.int16).to(tl.float16, bitcast=True), mask=i < n)


def relu_fp16(input):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        relu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    return y
