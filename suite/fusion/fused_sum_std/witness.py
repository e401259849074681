"""Standard deviation of sums in Triton.

The input is seen as (outer, n, inner), n being summed: a program adds up a tile of `inner` for one `outer`. A second
kernel of one program reads the sums twice, for their mean and for the squares of what differs from it.
"""
import math

import torch
import triton
import triton.language as tl

TILE = 2048  # elements a program reads at a time


@triton.jit
def sums_kernel(x_ptr, sums_ptr, n, inner, N_TILE: tl.constexpr, INNER_TILE: tl.constexpr, ACC: tl.constexpr):
    inner_tiles = tl.cdiv(inner, INNER_TILE)
    outer = tl.program_id(0) // inner_tiles
    cols = (tl.program_id(0) % inner_tiles) * INNER_TILE + tl.arange(0, INNER_TILE)
    base = x_ptr + outer.to(tl.int64) * n * inner
    total = tl.zeros((N_TILE, INNER_TILE), ACC)
    for start in range(0, n, N_TILE):
        rows = start + tl.arange(0, N_TILE)
        mask = (rows < n)[:, None] & (cols < inner)[None, :]
        total += tl.load(base + rows[:, None].to(tl.int64) * inner + cols[None, :], mask=mask, other=0.0).to(ACC)
    tl.store(sums_ptr + outer.to(tl.int64) * inner + cols, tl.sum(total, axis=0), mask=cols < inner)


@triton.jit
def deviation_kernel(sums_ptr, out_ptr, count, correction, BLOCK: tl.constexpr, ACC: tl.constexpr):
    total = tl.zeros((BLOCK,), ACC)
    for start in range(0, count, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(sums_ptr + at, mask=at < count, other=0.0)
    mean = tl.sum(total, axis=0) / count
    squares = tl.zeros((BLOCK,), ACC)
    for start in range(0, count, BLOCK):
        at = start + tl.arange(0, BLOCK)
        difference = tl.where(at < count, tl.load(sums_ptr + at, mask=at < count, other=0.0) - mean, 0.0)
        squares += difference * difference
    tl.store(out_ptr, tl.sqrt(tl.sum(squares, axis=0) / (count - correction)))


def as_outer_n_inner(x, dims):
    """x in memory order (outer, reduced, inner): as it lies if the reduced dimensions are neighbours, else permuted."""
    if dims[-1] - dims[0] + 1 == len(dims):
        outer, inner = x.shape[:dims[0]], x.shape[dims[-1] + 1:]
    else:
        kept = [d for d in range(x.dim()) if d not in dims]
        outer, inner = [x.shape[d] for d in kept], []
        x = x.permute(kept + dims)
    return x.contiguous(), math.prod(outer), math.prod(inner)


def fused_sum_std(input, dim=None, keepdim=False, dtype=None, correction=1, out=None):
    dtype = dtype or input.dtype
    shape = [1] * input.dim() if keepdim else []
    if dim is None:
        result = torch.zeros(shape, dtype=dtype, device=input.device)
        return result if out is None else out.copy_(result)
    dims = sorted(d % input.dim() for d in ([dim] if isinstance(dim, int) else dim))
    n = math.prod(input.shape[d] for d in dims)
    x, outer, inner = as_outer_n_inner(input, dims)
    double = torch.float64 in (x.dtype, dtype)
    acc = tl.float64 if double else tl.float32
    sums = torch.empty(outer * inner, dtype=torch.float64 if double else torch.float32, device=x.device)
    result = torch.empty(shape, dtype=dtype, device=x.device)
    inner_tile = min(triton.next_power_of_2(inner), 128)
    n_tile = min(triton.next_power_of_2(n), TILE // inner_tile)
    sums_kernel[(outer * triton.cdiv(inner, inner_tile),)](
        x, sums, n, inner, N_TILE=n_tile, INNER_TILE=inner_tile, ACC=acc, num_warps=4
    )
    deviation_kernel[(1,)](sums, result, outer * inner, correction, BLOCK=2048, ACC=acc, num_warps=8)
    return result if out is None else out.copy_(result)
