"""Mean of exponentials in Triton.

The input is seen as (outer, n, inner) with n the reduced elements. A program adds up the exponentials of one chunk of n
for one `outer` and a tile of `inner`, each lane for itself, and the lanes at the end. Where n was cut, the same kernel
then adds the chunks in a fixed order. Whoever adds last divides. No atomics: the result is the same in every run.
"""
import math

import torch
import triton
import triton.language as tl

TILE = 4096          # elements a program reads at a time
PROGRAMS = 2048      # enough to fill a GPU


@triton.jit
def exp_mean_kernel(
    x_ptr, y_ptr, outer, n, inner, chunk, count,
    EXP: tl.constexpr, LAST: tl.constexpr, N_TILE: tl.constexpr, INNER_TILE: tl.constexpr, ACC: tl.constexpr,
):
    inner_tiles = tl.cdiv(inner, INNER_TILE)
    row = tl.program_id(0) // inner_tiles
    cols = (tl.program_id(0) % inner_tiles) * INNER_TILE + tl.arange(0, INNER_TILE)
    first = tl.program_id(1) * chunk
    last = tl.minimum(first + chunk, n)
    base = x_ptr + row.to(tl.int64) * n * inner
    total = tl.zeros((N_TILE, INNER_TILE), ACC)
    for start in range(first, last, N_TILE):
        rows = start + tl.arange(0, N_TILE)
        mask = (rows < last)[:, None] & (cols < inner)[None, :]
        x = tl.load(base + rows[:, None].to(tl.int64) * inner + cols[None, :], mask=mask, other=0.0).to(ACC)
        if EXP:
            x = tl.where(mask, tl.exp(x), 0.0)  # exp(0) = 1: lanes outside must not count
        total += x
    result = tl.sum(total, axis=0)
    if LAST:
        result = result / count
    tl.store(y_ptr + (tl.program_id(1) * outer + row).to(tl.int64) * inner + cols, result, mask=cols < inner)


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
    """Tile sizes, and how n is cut into chunks so that the whole GPU works, with one tile a program at least."""
    inner_tile = min(triton.next_power_of_2(inner), 128)
    n_tile = min(triton.next_power_of_2(max(n, 1)), TILE // inner_tile)
    programs = outer * triton.cdiv(inner, inner_tile)
    chunks = max(min(triton.cdiv(PROGRAMS, programs), triton.cdiv(n, n_tile), 1024), 1)
    chunk = triton.cdiv(triton.cdiv(max(n, 1), chunks), n_tile) * n_tile
    return inner_tile, n_tile, programs, chunk, max(triton.cdiv(n, chunk), 1)


def fused_exp_mean(input, dim=None, keepdim=False, dtype=None, out=None):
    if dim is None:
        dims = list(range(input.dim()))
    else:
        dims = sorted(d % input.dim() for d in ([dim] if isinstance(dim, int) else dim))
    dtype = dtype or input.dtype
    shape = [1 if d in dims else size for d, size in enumerate(input.shape) if keepdim or d not in dims]
    in_place = out is not None and out.is_contiguous()
    result = out if in_place else torch.empty(shape, dtype=dtype, device=input.device)
    if result.numel() > 0:
        n = math.prod(input.shape[d] for d in dims)
        x, outer, inner = as_outer_n_inner(input, dims)
        double = torch.float64 in (x.dtype, dtype)
        acc, acc_dtype = (tl.float64, torch.float64) if double else (tl.float32, torch.float32)
        inner_tile, n_tile, programs, chunk, chunks = plan(outer, n, inner)
        warps = 8 if n_tile * inner_tile >= 2048 else 4
        y = result if chunks == 1 else torch.empty(chunks * outer * inner, dtype=acc_dtype, device=x.device)
        exp_mean_kernel[(programs, chunks)](
            x, y, outer, n, inner, chunk, n,
            N_TILE=n_tile, INNER_TILE=inner_tile, EXP=True, LAST=chunks == 1, ACC=acc, num_warps=warps,
        )
        if chunks > 1:  # y is now (chunks, outer * inner)
            size = outer * inner
            inner_tile = min(triton.next_power_of_2(size), 128)
            n_tile = min(triton.next_power_of_2(chunks), TILE // inner_tile)
            exp_mean_kernel[(triton.cdiv(size, inner_tile), 1)](
                y, result, 1, chunks, size, chunks, n,
                N_TILE=n_tile, INNER_TILE=inner_tile, EXP=False, LAST=True, ACC=acc, num_warps=4,
            )
    return result if out is None or in_place else out.copy_(result)
