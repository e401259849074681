"""GELU of input + alpha * other in Triton: an elementwise kernel, one program a block of consecutive elements.

Broadcast operands are expanded and laid out beforehand, so that the kernel needs one index only.
Numbers are constants of the kernel: as plain arguments they would be float32, also where the data are float64.
"""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def add_gelu_kernel(x_ptr, other_ptr, y_ptr, n, number: tl.constexpr, alpha: tl.constexpr,
                    HAS_OTHER: tl.constexpr, TANH: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    z = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
    if HAS_OTHER:
        z += alpha * tl.load(other_ptr + offsets, mask=mask, other=0.0).to(ACC)
    else:
        z += alpha * number
    if TANH:
        inner = 0.7978845608028654 * (z + 0.044715 * z * z * z)
        # 0.5 * (1 + tanh(u)) is the logistic function of 2 u; exp of a large number may overflow to inf, which gives 0.
        phi = 1.0 / (1.0 + tl.exp(-2.0 * inner))
    else:
        phi = 0.5 * (1.0 + tl.erf(z * 0.7071067811865476))
    tl.store(y_ptr + offsets, z * phi, mask=mask)


def fused_add_gelu(input, other, alpha=1, approximate="none", out=None):
    has_other = isinstance(other, torch.Tensor)
    if has_other:
        shape = torch.broadcast_shapes(input.shape, other.shape)
        x, y = input.expand(shape).contiguous(), other.expand(shape).contiguous()
    else:
        x = y = input.contiguous()
    result = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        add_gelu_kernel[(triton.cdiv(x.numel(), BLOCK),)](
            x, y, result, x.numel(), 0.0 if has_other else float(other), float(alpha),
            HAS_OTHER=has_other, TANH=approximate == "tanh", ACC=acc, BLOCK=BLOCK, num_warps=4,
        )
    return result if out is None else out.copy_(result)
