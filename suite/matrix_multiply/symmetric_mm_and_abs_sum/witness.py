"""Witness of symmetric_mm_and_abs_sum: tiles of A A^T on and below the diagonal serve both halves of C.

A program computes one tile of A A^T in registers, adds the tile of C in the same place and, off the diagonal, the
transpose with the mirrored tile of C. Only the sum of absolute values leaves it; a second kernel adds those up.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def abs_sum_of_tile(product, c_ptr, rows, cols, n, alpha, beta, stride_cm, stride_cn):
    """Sum of |alpha * product + beta * C| over rows x cols."""
    inside = (rows[:, None] < n) & (cols[None, :] < n)
    at = rows[:, None].to(tl.int64) * stride_cm + cols[None, :].to(tl.int64) * stride_cn
    value = alpha * product + beta * tl.load(c_ptr + at, mask=inside, other=0.0)
    return tl.sum(tl.sum(tl.where(inside, tl.abs(value), 0.0), axis=1), axis=0)


@triton.jit
def tiles_kernel(
    a_ptr, c_ptr, sums_ptr, n, m, tiles, alpha, beta, stride_am, stride_ak, stride_cm, stride_cn,
    BLOCK: tl.constexpr, BLOCK_K: tl.constexpr,
):
    tile_i, tile_j = tl.program_id(0) // tiles, tl.program_id(0) % tiles
    if tile_j <= tile_i:
        rows = tile_i * BLOCK + tl.arange(0, BLOCK)
        cols = tile_j * BLOCK + tl.arange(0, BLOCK)
        ks = tl.arange(0, BLOCK_K)
        # Rows past the edge wrap around to valid ones: no mask in the loop, their results do not count.
        left = a_ptr + (rows % n)[:, None].to(tl.int64) * stride_am + ks[None, :] * stride_ak
        right = a_ptr + (cols % n)[None, :].to(tl.int64) * stride_am + ks[:, None] * stride_ak
        acc = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
        for k in range(0, m, BLOCK_K):
            a = tl.load(left, mask=ks[None, :] < m - k, other=0.0)
            b = tl.load(right, mask=ks[:, None] < m - k, other=0.0)
            acc = tl.dot(a, b, acc, input_precision="ieee")  # no TF32
            left += BLOCK_K * stride_ak
            right += BLOCK_K * stride_ak
        total = abs_sum_of_tile(acc, c_ptr, rows, cols, n, alpha, beta, stride_cm, stride_cn)
        if tile_j < tile_i:
            total += abs_sum_of_tile(tl.trans(acc), c_ptr, cols, rows, n, alpha, beta, stride_cm, stride_cn)
        tl.store(sums_ptr + tl.program_id(0), total)
    else:
        tl.store(sums_ptr + tl.program_id(0), 0.0)


@triton.jit
def finish_kernel(sums_ptr, out_ptr, count, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, count, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(sums_ptr + at, mask=at < count, other=0.0)
    tl.store(out_ptr, tl.sum(total, axis=0))


def symmetric_mm_and_abs_sum(A, C, alpha, beta):
    n, m = A.shape
    tile = dict(BLOCK=64, BLOCK_K=32, num_warps=4) if n >= 1000 else dict(BLOCK=32, BLOCK_K=32, num_warps=4)
    tiles = triton.cdiv(n, tile["BLOCK"])
    sums = torch.empty((tiles * tiles,), dtype=torch.float32, device=A.device)
    out = torch.empty((), dtype=torch.float32, device=A.device)
    tiles_kernel[(tiles * tiles,)](
        A, C, sums, n, m, tiles, float(alpha), float(beta), *A.stride(), *C.stride(), num_stages=3, **tile
    )
    finish_kernel[(1,)](sums, out, tiles * tiles, BLOCK=1024, num_warps=8)
    return out
