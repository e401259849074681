"""Standard deviation of GELU in Triton.

The input is seen as (outer, n, inner) with n the reduced elements. Each lane of a program keeps the mean of what it has
read and the sum of squared distances from it (Welford's update), so that nothing cancels however large the mean is, and
one pass is enough. Lanes are merged at the end. Where n was cut into chunks, a small kernel merges them.
"""
import math

import torch
import triton
import triton.language as tl

TILE = 4096          # elements a program reads at a time
PROGRAMS = 2048      # enough to fill a GPU


@triton.jit
def gelu(x, TANH: tl.constexpr):
    if TANH:
        inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)
        # 0.5 * (1 + tanh(z)) is the logistic function of 2 z; exp of a large number may overflow to inf, which gives 0.
        phi = 1.0 / (1.0 + tl.exp(-2.0 * inner))
    else:
        phi = 0.5 * (1.0 + tl.erf(x * 0.7071067811865476))
    return x * phi


@triton.jit
def merge(count, mean, squares):
    """Mean and squared distances of groups (along axis 0) of which these are count, mean and squared distances."""
    total_mean = tl.sum(count * mean, axis=0) / tl.sum(count, axis=0)
    distance = mean - total_mean[None, :]
    return total_mean, tl.sum(squares + count * distance * distance, axis=0)


@triton.jit
def gelu_std_kernel(
    x_ptr, mean_ptr, squares_ptr, result_ptr, outer, n, inner, chunk, correction,
    TANH: tl.constexpr, LAST: tl.constexpr, N_TILE: tl.constexpr, INNER_TILE: tl.constexpr, ACC: tl.constexpr,
):
    inner_tiles = tl.cdiv(inner, INNER_TILE)
    row = tl.program_id(0) // inner_tiles
    cols = (tl.program_id(0) % inner_tiles) * INNER_TILE + tl.arange(0, INNER_TILE)
    first = tl.program_id(1) * chunk
    last = tl.minimum(first + chunk, n)
    lanes = tl.arange(0, N_TILE)
    base = x_ptr + row.to(tl.int64) * n * inner
    mean = tl.zeros((N_TILE, INNER_TILE), ACC)
    squares = tl.zeros((N_TILE, INNER_TILE), ACC)
    one = tl.full((), 1.0, ACC)
    step = 0
    for start in range(first, last, N_TILE):
        rows = start + lanes
        mask = (rows < last)[:, None] & (cols < inner)[None, :]
        x = tl.load(base + rows[:, None].to(tl.int64) * inner + cols[None, :], mask=mask, other=0.0).to(ACC)
        x = gelu(x, TANH)
        step += 1
        distance = tl.where(mask, x - mean, 0.0)
        mean += distance * (one / step)
        # Not distance * (x - mean): x is a product, and fused with it the new difference would not be 0 in the first step.
        squares += distance * distance * ((step - 1) * (one / step))

    # Lane k has read the elements first + k, first + k + N_TILE, ... below last.
    count = tl.maximum(last - first - lanes + N_TILE - 1, 0) // N_TILE
    count = count[:, None].to(ACC) + tl.zeros((N_TILE, INNER_TILE), ACC)
    mean_of_all, squares_of_all = merge(count, mean, squares)
    results = (tl.program_id(1) * outer + row).to(tl.int64) * inner + cols
    if LAST:
        divisor = tl.maximum(n - correction, 0)
        tl.store(result_ptr + results, tl.sqrt(squares_of_all / divisor), mask=cols < inner)
    else:
        tl.store(mean_ptr + results, mean_of_all, mask=cols < inner)
        tl.store(squares_ptr + results, squares_of_all, mask=cols < inner)


@triton.jit
def chunks_kernel(
    mean_ptr, squares_ptr, result_ptr, n, size, chunk, chunks, correction,
    CHUNK_TILE: tl.constexpr, BLOCK: tl.constexpr, ACC: tl.constexpr,
):
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = tl.arange(0, CHUNK_TILE)
    mask = (c < chunks)[:, None] & (cols < size)[None, :]
    offsets = c[:, None].to(tl.int64) * size + cols[None, :]
    mean = tl.load(mean_ptr + offsets, mask=mask, other=0.0)
    squares = tl.load(squares_ptr + offsets, mask=mask, other=0.0)
    count = tl.minimum(tl.maximum(n - c * chunk, 0), chunk)[:, None].to(ACC) + tl.zeros((CHUNK_TILE, BLOCK), ACC)
    _, squares_of_all = merge(count, mean, squares)
    divisor = tl.maximum(n - correction, 0)
    tl.store(result_ptr + cols, tl.sqrt(squares_of_all / divisor), mask=cols < size)


def as_outer_n_inner(x, dims):
    """x in memory order (outer, reduced, inner): as it lies if the reduced dimensions are neighbours, else permuted."""
    if dims and dims[-1] - dims[0] + 1 == len(dims):
        outer, inner = x.shape[:dims[0]], x.shape[dims[-1] + 1:]
    else:
        kept = [d for d in range(x.dim()) if d not in dims]
        outer, inner = [x.shape[d] for d in kept], []
        x = x.permute(kept + dims)
    return x.contiguous(), math.prod(outer), math.prod(inner)


def plan(outer, n, inner):
    """Tile sizes, and how n is cut into chunks so that the whole GPU works, with four tiles a program at least."""
    inner_tile = min(triton.next_power_of_2(inner), 128)
    n_tile = min(triton.next_power_of_2(max(n, 1)), TILE // inner_tile)
    programs = outer * triton.cdiv(inner, inner_tile)
    chunks = max(min(triton.cdiv(PROGRAMS, programs), triton.cdiv(n, 4 * n_tile), 1024), 1)
    chunk = triton.cdiv(triton.cdiv(max(n, 1), chunks), n_tile) * n_tile
    return inner_tile, n_tile, programs, chunk, max(triton.cdiv(n, chunk), 1)


def fused_gelu_std(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    if dim is None:
        dims = list(range(input.dim()))
    else:
        dims = sorted(d % input.dim() for d in ([dim] if isinstance(dim, int) else dim))
    shape = [1 if d in dims else size for d, size in enumerate(input.shape) if keepdim or d not in dims]
    in_place = out is not None and out.is_contiguous()
    result = out if in_place else torch.empty(shape, dtype=input.dtype, device=input.device)
    if result.numel() > 0:
        n = math.prod(input.shape[d] for d in dims)
        x, outer, inner = as_outer_n_inner(input, dims)
        double = x.dtype == torch.float64
        acc, acc_dtype = (tl.float64, torch.float64) if double else (tl.float32, torch.float32)
        inner_tile, n_tile, programs, chunk, chunks = plan(outer, n, inner)
        size = outer * inner
        means, squares = torch.empty((2, chunks * size if chunks > 1 else 0), dtype=acc_dtype, device=x.device)
        gelu_std_kernel[(programs, chunks)](
            x, means, squares, result, outer, n, inner, chunk, correction,
            TANH=approximate == "tanh", LAST=chunks == 1, N_TILE=n_tile, INNER_TILE=inner_tile, ACC=acc,
            num_warps=8 if n_tile * inner_tile >= 2048 else 4,
        )
        if chunks > 1:
            block = 4 if size > 1 else 1
            chunks_kernel[(triton.cdiv(size, block),)](
                means, squares, result, n, size, chunk, chunks, correction,
                CHUNK_TILE=triton.next_power_of_2(chunks), BLOCK=block, ACC=acc, num_warps=4,
            )
    return result if out is None or in_place else out.copy_(result)
