"""Mean of input + alpha * other in Triton.

The sum is seen as (outer, n, inner) with n the reduced elements. A program adds up one chunk of n for one `outer` and
a tile of `inner`; a second, small kernel adds the chunks in a fixed order and divides. No atomics: the result is the
same in every run.
"""
import math

import torch
import triton
import triton.language as tl

TILE = 4096          # elements a program reads at a time
PROGRAMS = 2048      # enough to fill a GPU


@triton.jit
def chunk_sums_kernel(x_ptr, y_ptr, sums_ptr, outer, n, inner, chunk, alpha, number,
                      N_TILE: tl.constexpr, INNER_TILE: tl.constexpr, HAS_OTHER: tl.constexpr, ACC: tl.constexpr):
    inner_tiles = tl.cdiv(inner, INNER_TILE)
    row = tl.program_id(0) // inner_tiles
    cols = (tl.program_id(0) % inner_tiles) * INNER_TILE + tl.arange(0, INNER_TILE)
    first = tl.program_id(1) * chunk
    last = tl.minimum(first + chunk, n)
    total = tl.zeros((N_TILE, INNER_TILE), ACC)
    for start in range(first, last, N_TILE):
        rows = start + tl.arange(0, N_TILE)
        offsets = row.to(tl.int64) * n * inner + rows[:, None].to(tl.int64) * inner + cols[None, :]
        mask = (rows < last)[:, None] & (cols < inner)[None, :]
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
        if HAS_OTHER:
            x += alpha * tl.load(y_ptr + offsets, mask=mask, other=0.0).to(ACC)
        else:
            x += tl.where(mask, alpha * number, 0.0)
        total += x
    tl.store(sums_ptr + (tl.program_id(1) * outer + row) * inner + cols, tl.sum(total, axis=0), mask=cols < inner)


@triton.jit
def mean_kernel(sums_ptr, out_ptr, n, chunks, size, BLOCK: tl.constexpr, ACC: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < size
    total = tl.zeros((BLOCK,), ACC)
    for c in range(chunks):
        total += tl.load(sums_ptr + c * size + offsets, mask=mask, other=0.0)
    tl.store(out_ptr + offsets, total / n, mask=mask)


def as_outer_n_inner(x, dims):
    """x in memory order (outer, reduced, inner): as it lies if the reduced dimensions are neighbours, else permuted."""
    if dims and dims[-1] - dims[0] + 1 == len(dims):
        outer, inner = x.shape[:dims[0]], x.shape[dims[-1] + 1:]
    else:
        kept = [d for d in range(x.dim()) if d not in dims]
        outer, inner = [x.shape[d] for d in kept], []
        x = x.permute(kept + dims)
    return x.contiguous(), math.prod(outer), math.prod(inner)


def fused_add_mean(input, other, dim=None, alpha=1, keepdim=False, dtype=None, out=None):
    x, y = input, other
    if isinstance(other, torch.Tensor):
        shape = torch.broadcast_shapes(input.shape, other.shape)
        x, y = input.expand(shape), other.expand(shape)
    if dim is None:
        dims = list(range(x.dim()))
    else:
        dims = sorted(d % x.dim() for d in ([dim] if isinstance(dim, int) else dim))
    result_shape = [1 if d in dims else size for d, size in enumerate(x.shape) if keepdim or d not in dims]
    n = math.prod(x.shape[d] for d in dims)
    dtype = dtype or (out.dtype if out is not None else x.dtype)
    acc, acc_dtype = (tl.float64, torch.float64) if torch.float64 in (x.dtype, dtype) else (tl.float32, torch.float32)

    x, outer, inner = as_outer_n_inner(x, dims)
    y = as_outer_n_inner(y, dims)[0] if isinstance(other, torch.Tensor) else x
    result = torch.empty(result_shape, dtype=dtype, device=x.device)
    if result.numel() > 0:
        inner_tile = min(triton.next_power_of_2(inner), 128)
        n_tile = min(triton.next_power_of_2(max(n, 1)), TILE // inner_tile)
        programs = outer * triton.cdiv(inner, inner_tile)
        # Split n when there are few programs, so that the whole GPU works, but never below one tile a program.
        chunks = max(min(triton.cdiv(PROGRAMS, programs), triton.cdiv(n, n_tile), 1024), 1)
        chunk = triton.cdiv(triton.cdiv(max(n, 1), chunks), n_tile) * n_tile
        chunks = max(triton.cdiv(n, chunk), 1)
        sums = torch.empty(chunks * outer * inner, dtype=acc_dtype, device=x.device)
        number = 0.0 if isinstance(other, torch.Tensor) else float(other)
        chunk_sums_kernel[(programs, chunks)](
            x, y, sums, outer, n, inner, chunk, float(alpha), number,
            N_TILE=n_tile, INNER_TILE=inner_tile, HAS_OTHER=isinstance(other, torch.Tensor), ACC=acc,
            num_warps=8 if n_tile * inner_tile >= 2048 else 4,
        )
        size = outer * inner
        mean_kernel[(triton.cdiv(size, 256),)](sums, result, n, chunks, size, BLOCK=256, ACC=acc, num_warps=4)
    return result if out is None else out.copy_(result)
