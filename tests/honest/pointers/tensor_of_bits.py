# task: index_select
# style: elements are copied as integers of their size: x.view(torch.int32) and its like, whatever the dtype
import math

import torch
import triton
import triton.language as tl

BITS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


@triton.jit
def select_kernel(x_ptr, index_ptr, y_ptr, total, size, count, inner, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < total
    col, j, outer = i % inner, i // inner % count, i // (inner * count)
    row = tl.load(index_ptr + j, mask=mask, other=0).to(tl.int64)
    value = tl.load(x_ptr + (outer * size + row) * inner + col, mask=mask, other=0)
    tl.store(y_ptr + i, value, mask=mask)


def index_select(input, dim, index):
    dim %= input.dim()
    x, index = input.contiguous(), index.reshape(-1).contiguous()
    shape = list(x.shape)
    shape[dim] = index.numel()
    y = torch.empty(shape, dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        raw = BITS[x.element_size()]
        inner = math.prod(x.shape[dim + 1:])
        select_kernel[(triton.cdiv(y.numel(), 256),)](
            x.view(raw), index, y.view(raw), y.numel(), x.shape[dim], index.numel(), inner, BLOCK=256)
    return y
