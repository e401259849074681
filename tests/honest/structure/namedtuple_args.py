# task: fused_tile_exp
# style: NamedTuple and TypedDict settings, operator.itemgetter, chained comparisons; the kernel walks five dimensions
import operator
from typing import NamedTuple, TypedDict

import torch
import triton
import triton.language as tl


class Walk(NamedTuple):
    sizes: tuple
    inner: tuple
    strides: tuple


class Options(TypedDict):
    BLOCK: int
    num_warps: int


OPTIONS: Options = {"BLOCK": 256, "num_warps": 4}
block_of = operator.itemgetter("BLOCK")


@triton.jit
def tile_kernel(x_ptr, y_ptr, n, sizes, inner, strides, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    rest = i
    at = i * 0
    for d in tl.static_range(len(sizes)):
        at += rest % sizes[d] % inner[d] * strides[d]
        rest = rest // sizes[d]
    x = tl.load(x_ptr + at, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, tl.exp(x).to(y_ptr.dtype.element_ty), mask=i < n)


def fused_tile_exp(input, dims, *, out=None):
    rank = max(input.dim(), len(dims))
    inner = [1] * (rank - input.dim()) + list(input.shape)
    reps = [1] * (rank - len(dims)) + list(dims)
    strides = [0] * (rank - input.dim()) + list(input.stride())
    shape = [a * b for a, b in zip(inner, reps)]
    y = torch.empty(shape, dtype=input.dtype, device=input.device)
    if 0 < y.numel() < 2**31:
        walk = Walk(*(tuple(v[::-1]) + (1,) for v in (shape, inner, strides)))
        acc = tl.float64 if input.dtype == torch.float64 else tl.float32
        tile_kernel[(triton.cdiv(y.numel(), block_of(OPTIONS)),)](input, y, y.numel(), walk.sizes, walk.inner, walk.strides, ACC=acc, **OPTIONS)
    return y if out is None else out.copy_(y)
