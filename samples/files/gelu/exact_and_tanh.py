"""GELU, both forms, one pass over the flattened tensor."""
import torch
import triton
import triton.language as tl


@triton.jit
def gelu_kernel(x_ptr, y_ptr, n_elements, TANH: tl.constexpr, DOUBLE: tl.constexpr, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(axis=0)
    offsets = pid * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    if DOUBLE:
        x = x.to(tl.float64)
    else:
        x = x.to(tl.float32)
    if TANH:
        inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)
        # tanh(z) = 1 - 2 / (exp(2z) + 1) saturates cleanly at both ends
        tanh = 1.0 - 2.0 / (tl.exp(2.0 * inner) + 1.0)
        y = 0.5 * x * (1.0 + tanh)
    else:
        y = 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))
    tl.store(y_ptr + offsets, y, mask=mask)


def gelu(input, approximate="none"):
    x = input.contiguous()
    out = torch.empty_like(x)
    n = x.numel()
    if n == 0:
        return out
    BLOCK_SIZE = 1024
    grid = (triton.cdiv(n, BLOCK_SIZE),)
    gelu_kernel[grid](x, out, n, TANH=approximate == "tanh", DOUBLE=x.dtype == torch.float64, BLOCK_SIZE=BLOCK_SIZE)
    return out
