"""Fill slices in place in Triton: one lane an element of the named slices, addressed through x's own strides.

Repeated indices store the same value twice, which does no harm.
"""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def index_fill_kernel(
    x_ptr, index_ptr, value_ptr, total, size, size1, size2, size3, stride0, stride1, stride2, stride3,
    BLOCK: tl.constexpr,
):
    """x is seen with dim first: (size, size1, size2, size3). Element e lies in slice e // (size1 * size2 * size3)."""
    e = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = e < total
    rest = size1 * size2 * size3
    which = tl.load(index_ptr + e // rest, mask=mask, other=0)
    which = tl.where(which < 0, which + size, which)
    inside = e % rest
    offsets = which * stride0 + inside // (size2 * size3) * stride1
    offsets += inside // size3 % size2 * stride2 + inside % size3 * stride3
    value = tl.load(value_ptr)
    tl.store(x_ptr + offsets, tl.zeros((BLOCK,), value.dtype) + value, mask=mask)


def index_fill_(dim, x, index, value):
    dim = dim % x.dim()
    order = [dim] + [d for d in range(x.dim()) if d != dim]
    missing = 4 - x.dim()
    sizes = [x.shape[dim]] + [1] * missing + [x.shape[d] for d in order[1:]]
    strides = [x.stride(dim)] + [0] * missing + [x.stride(d) for d in order[1:]]
    # As a tensor of x's dtype: a number handed to a kernel would become float32.
    if isinstance(value, torch.Tensor):
        value = value.to(x.dtype)
    else:
        value = torch.full((), value, dtype=x.dtype, device=x.device)
    total = index.numel() * sizes[1] * sizes[2] * sizes[3]
    if total > 0:
        grid = (triton.cdiv(total, BLOCK),)
        index_fill_kernel[grid](x, index.contiguous(), value, total, *sizes, *strides, BLOCK=BLOCK, num_warps=4)
    return x
