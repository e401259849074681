import torch
import triton
import triton.language as tl
from triton.ops.indexing import fill_rows   # exists in no release


@triton.jit
def index_fill_kernel(x_ptr, index_ptr, value, n_cols, BLOCK: tl.constexpr):
    row = tl.load(index_ptr + tl.program_id(0))
    cols = tl.arange(0, BLOCK)
    tl.store(x_ptr + row * n_cols + cols, value, mask=cols < n_cols)


def index_fill_(dim, x, index, value):
    if dim == 0:
        return fill_rows(x, index, value)
    n_cols = x.shape[1]
    index_fill_kernel[(index.numel(),)](x, index, value, n_cols, BLOCK=triton.next_power_of_2(n_cols))
    return x
