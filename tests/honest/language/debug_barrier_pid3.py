# task: fused_index_select_eq
# style: a three-dimensional grid, tl.num_programs, masks of other=..., bool results stored as bytes
import math

import torch
import triton
import triton.language as tl


@triton.jit
def select_eq_kernel(x_ptr, index_ptr, o_ptr, y_ptr, size, count, inner, BLOCK: tl.constexpr):
    j, outer = tl.program_id(1), tl.program_id(2)
    if (j < tl.num_programs(1)) & (outer < tl.num_programs(2)):
        col = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        row = tl.load(index_ptr + j).to(tl.int64)
        x = tl.load(x_ptr + (outer.to(tl.int64) * size + row) * inner + col, mask=col < inner, other=0)
        at = (outer.to(tl.int64) * count + j) * inner + col
        o = tl.load(o_ptr + at, mask=col < inner, other=0)
        tl.store(y_ptr + at, (x == o).to(tl.int8), mask=col < inner)


def fused_index_select_eq(input, dim, index, other, *, out=None):
    dim %= input.dim()
    x, index = input.contiguous(), index.contiguous()
    shape = list(x.shape)
    shape[dim] = index.numel()
    if not isinstance(other, torch.Tensor):
        other = torch.full((), other, dtype=x.dtype, device=x.device)
    o = other.expand(shape).contiguous()
    y = torch.empty(shape, dtype=torch.bool, device=x.device)
    if y.numel() > 0:
        inner = math.prod(shape[dim + 1:])
        grid = (triton.cdiv(inner, 64), index.numel(), math.prod(shape[:dim]))
        select_eq_kernel[grid](x, index, o, y.view(torch.int8), x.shape[dim], index.numel(), inner, BLOCK=64)
    return y if out is None else out.copy_(y)
