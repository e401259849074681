"""input * other_mul - alpha * other_sub in Triton: an elementwise kernel, one program a block of consecutive elements.

An operand that is a number is a constant of the kernel and costs no memory traffic. As a plain argument it would be
float32, also where the data are float64.
"""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def mul_sub_kernel(x_ptr, mul_ptr, sub_ptr, y_ptr, n,
                   mul_number: tl.constexpr, sub_number: tl.constexpr, alpha: tl.constexpr,
                   MUL_TENSOR: tl.constexpr, SUB_TENSOR: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    result = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
    if MUL_TENSOR:
        result *= tl.load(mul_ptr + offsets, mask=mask, other=0.0).to(ACC)
    else:
        result *= mul_number
    if SUB_TENSOR:
        result -= alpha * tl.load(sub_ptr + offsets, mask=mask, other=0.0).to(ACC)
    else:
        result -= alpha * sub_number
    tl.store(y_ptr + offsets, result, mask=mask)


def fused_mul_sub(input, other_mul, other_sub, alpha=1, out=None):
    operands = [input, other_mul, other_sub]
    shape = torch.broadcast_shapes(*[x.shape for x in operands if isinstance(x, torch.Tensor)])
    tensors = [x.expand(shape).contiguous() if isinstance(x, torch.Tensor) else input for x in operands]
    numbers = [0.0 if isinstance(x, torch.Tensor) else float(x) for x in operands]
    result = torch.empty(shape, dtype=input.dtype, device=input.device)
    n = result.numel()
    if n > 0:
        acc = tl.float64 if input.dtype == torch.float64 else tl.float32
        mul_sub_kernel[(triton.cdiv(n, BLOCK),)](
            *tensors, result, n, numbers[1], numbers[2], float(alpha),
            MUL_TENSOR=isinstance(other_mul, torch.Tensor), SUB_TENSOR=isinstance(other_sub, torch.Tensor),
            ACC=acc, BLOCK=BLOCK, num_warps=4,
        )
    return result if out is None else out.copy_(result)
