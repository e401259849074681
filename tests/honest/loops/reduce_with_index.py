# task: min
# style: tl.reduce over (value, index) pairs with a combine function of one's own
import math

import torch
import triton
import triton.language as tl


@triton.jit
def smaller(a, i, b, j):
    a_nan, b_nan = a != a, b != b
    first = (a_nan & (~b_nan | (i < j))) | (~a_nan & ~b_nan & ((a < b) | ((a == b) & (i < j))))
    return tl.where(first, a, b), tl.where(first, i, j)


@triton.jit
def min_kernel(x_ptr, v_ptr, i_ptr, n, inner, ACC: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    base = x_ptr + (pid // inner).to(tl.int64) * n * inner + pid % inner
    k = tl.arange(0, BLOCK)
    best = tl.load(base + tl.zeros((BLOCK,), tl.int32)).to(ACC)  # the first element stands for what is not there
    where = tl.full((BLOCK,), 0, tl.int32)
    for s in range(0, n, BLOCK):
        x = tl.load(base + (s + k) * inner, mask=s + k < n, other=0).to(ACC)
        x = tl.where(s + k < n, x, best)
        best, where = smaller(best, where, x, tl.where(s + k < n, s + k, where))
    value, index = tl.reduce((best, where), 0, smaller)
    tl.store(v_ptr + pid, value.to(v_ptr.dtype.element_ty))
    tl.store(i_ptr + pid, index.to(tl.int64))


def min(input_tensor, dim, keepdim=False):
    x = input_tensor.contiguous()
    dim %= x.dim()
    shape = x.shape[:dim] + ((1,) if keepdim else ()) + x.shape[dim + 1:]
    values = torch.empty(shape, dtype=x.dtype, device=x.device)
    indices = torch.empty(shape, dtype=torch.int64, device=x.device)
    if values.numel() > 0:
        acc = {torch.float64: tl.float64, torch.int64: tl.int64, torch.int32: tl.int32}.get(x.dtype, tl.float32)
        min_kernel[(values.numel(),)](x, values, indices, x.shape[dim], math.prod(x.shape[dim + 1:]), ACC=acc, BLOCK=128)
    return values, indices
