"""GELU of a difference in Triton: an elementwise kernel, one program a block of consecutive elements of the result.

Numbers are constants of the kernel: as plain arguments they would be float32, also where the data are float64.
"""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def sub_gelu_kernel(
    x_ptr, y_ptr, out_ptr, n, alpha: tl.constexpr, number: tl.constexpr,
    HAS_OTHER: tl.constexpr, TANH: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr,
):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    z = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
    if HAS_OTHER:
        z -= alpha * tl.load(y_ptr + offsets, mask=mask, other=0.0).to(ACC)
    else:
        z -= alpha * number
    if TANH:
        inner = 0.7978845608028654 * (z + 0.044715 * z * z * z)
        # 0.5 * (1 + tanh(z)) is the logistic function of 2 z; exp of a large number may overflow to inf, which gives 0.
        phi = 1.0 / (1.0 + tl.exp(-2.0 * inner))
    else:
        phi = 0.5 * (1.0 + tl.erf(z * 0.7071067811865476))
    tl.store(out_ptr + offsets, z * phi, mask=mask)


def fused_sub_gelu(input, other, alpha=1, approximate="none", out=None):
    x, y, number = input, input, 0.0
    has_other = isinstance(other, torch.Tensor)
    if has_other:
        shape = torch.broadcast_shapes(input.shape, other.shape)
        x, y = input.expand(shape), other.expand(shape).contiguous()
    else:
        number = float(other)
    x = x.contiguous()
    result = out if out is not None and out.is_contiguous() else torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        sub_gelu_kernel[(triton.cdiv(x.numel(), BLOCK),)](
            x, y, result, x.numel(), float(alpha), number, has_other, approximate == "tanh", acc, BLOCK, num_warps=4
        )
    return result if out is None or result is out else out.copy_(result)
