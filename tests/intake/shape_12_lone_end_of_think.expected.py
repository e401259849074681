import torch
import triton
import triton.language as tl

@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    tl.store(y_ptr + offs, tl.maximum(x, 0.0), mask=mask)

def relu(input, inplace=False):
    out = input if inplace else torch.empty_like(input)
    n = input.numel()
    relu_kernel[(triton.cdiv(n, 1024),)](input, out, n, BLOCK=1024)
    return out
