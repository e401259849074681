"""Witness of tril_mm_and_scale: a tiled matrix product that stops at the diagonal.

A row tile needs columns of A only up to its own last row, so half of the work is left out. Inside the tiles that the
diagonal crosses, elements above it are masked when they are loaded.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def tril_mm_kernel(
    a_ptr, b_ptr, out_ptr, n, p, scale, stride_am, stride_ak, stride_bk, stride_bn,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
):
    """One program computes one BLOCK_M x BLOCK_N tile."""
    # Programs that run at the same time share rows of A and columns of B in L2: walk GROUP_M tile rows at once.
    pid = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(n, BLOCK_M), tl.cdiv(p, BLOCK_N)
    group = pid // (GROUP_M * tiles_n)
    group_rows = min(tiles_m - group * GROUP_M, GROUP_M)
    tile_m = tiles_m - 1 - (group * GROUP_M + (pid % (GROUP_M * tiles_n)) % group_rows)  # the longest sums come first
    tile_n = (pid % (GROUP_M * tiles_n)) // group_rows

    rows = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    ks = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + rows[:, None].to(tl.int64) * stride_am + ks[None, :] * stride_ak
    b_ptrs = b_ptr + ks[:, None] * stride_bk + (cols % p)[None, :].to(tl.int64) * stride_bn
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, min((tile_m + 1) * BLOCK_M, n), BLOCK_K):
        lower = (k + ks[None, :] <= rows[:, None]) & (rows[:, None] < n)
        a = tl.load(a_ptrs, mask=lower, other=0.0)
        b = tl.load(b_ptrs, mask=ks[:, None] < n - k, other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")  # no TF32
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    inside = (rows[:, None] < n) & (cols[None, :] < p)
    result = (acc * scale).to(out_ptr.dtype.element_ty)
    tl.store(out_ptr + rows[:, None].to(tl.int64) * p + cols[None, :], result, mask=inside)


def tile_shape(M, N, half):
    """Large tiles for reuse, smaller ones when there would be too few programs to fill the device."""
    if M * N >= 1000 * 1000:
        if half:
            return dict(BLOCK_M=128, BLOCK_N=128, BLOCK_K=64, num_warps=8, num_stages=3)
        return dict(BLOCK_M=128, BLOCK_N=128, BLOCK_K=16, num_warps=8, num_stages=3)
    if M > 32 and N > 32:
        return dict(BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, num_warps=4, num_stages=3)
    return dict(BLOCK_M=32, BLOCK_N=32, BLOCK_K=32, num_warps=4, num_stages=3)


def tril_mm_and_scale(A, B, alpha, beta):
    n, p = B.shape
    out = torch.empty((n, p), dtype=A.dtype, device=A.device)
    if n * p > 0:
        tile = tile_shape(n, p, half=A.dtype != torch.float32)
        tril_mm_kernel[(triton.cdiv(n, tile["BLOCK_M"]) * triton.cdiv(p, tile["BLOCK_N"]),)](
            A, B, out, n, p, float(alpha * beta), *A.stride(), *B.stride(), GROUP_M=8, **tile
        )
    return out
