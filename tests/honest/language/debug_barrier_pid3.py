# task: fused_index_select_eq
# style: a three-dimensional grid whose programs walk on by tl.num_programs, masks of other=..., bool results stored as bytes
import math

import torch
import triton
import triton.language as tl


@triton.jit
def select_eq_kernel(x_ptr, index_ptr, o_ptr, y_ptr, outers, size, count, inner, BLOCK: tl.constexpr):
    col = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    for outer in range(tl.program_id(2), outers, tl.num_programs(2)):
        for j in range(tl.program_id(1), count, tl.num_programs(1)):
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
        outers, count, inner = math.prod(shape[:dim]), index.numel(), math.prod(shape[dim + 1:])
        grid = (triton.cdiv(inner, 64), min(count, 65535), min(outers, 65535))  # no more along y and z
        select_eq_kernel[grid](x, index, o, y.view(torch.int8), outers, x.shape[dim], count, inner, BLOCK=64)
    return y if out is None else out.copy_(y)
