"""Witness of tensordot_rsqrt: a tiled matrix product whose last step takes the reciprocal square root.

Contracted dimensions go to the end of a and to the front of b; both are then matrices. Where that cannot be said by
strides they are copied.
"""
import math

import torch
import triton
import triton.language as tl


@triton.jit
def product_rsqrt_kernel(
    a_ptr, b_ptr, out_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
):
    """One program computes one BLOCK_M x BLOCK_N tile."""
    # Programs that run at the same time share rows of A and columns of B in L2: walk GROUP_M tile rows at once.
    pid = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(M, BLOCK_M), tl.cdiv(N, BLOCK_N)
    group = pid // (GROUP_M * tiles_n)
    group_rows = min(tiles_m - group * GROUP_M, GROUP_M)
    tile_m = group * GROUP_M + (pid % (GROUP_M * tiles_n)) % group_rows
    tile_n = (pid % (GROUP_M * tiles_n)) // group_rows

    rows = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    ks = tl.arange(0, BLOCK_K)
    # Rows and columns past the edge wrap around to valid ones: no mask in the loop, their results are not stored.
    a_ptrs = a_ptr + (rows % M)[:, None].to(tl.int64) * stride_am + ks[None, :] * stride_ak
    b_ptrs = b_ptr + ks[:, None] * stride_bk + (cols % N)[None, :].to(tl.int64) * stride_bn
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_ptrs, mask=ks[None, :] < K - k, other=0.0)
        b = tl.load(b_ptrs, mask=ks[:, None] < K - k, other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")  # no TF32
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk

    inside = (rows[:, None] < M) & (cols[None, :] < N)
    result = tl.rsqrt(acc).to(out_ptr.dtype.element_ty)
    tl.store(out_ptr + rows[:, None].to(tl.int64) * N + cols[None, :], result, mask=inside)


def tile_shape(M, N, half):
    """Large tiles for reuse, smaller ones when there would be too few programs to fill the device."""
    if M * N >= 1000 * 1000:
        if half:
            return dict(BLOCK_M=128, BLOCK_N=128, BLOCK_K=64, num_warps=8, num_stages=3)
        return dict(BLOCK_M=128, BLOCK_N=128, BLOCK_K=16, num_warps=8, num_stages=3)
    if M > 32 and N > 32:
        return dict(BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, num_warps=4, num_stages=3)
    return dict(BLOCK_M=32, BLOCK_N=32, BLOCK_K=32, num_warps=4, num_stages=3)


def tensordot_rsqrt(a, b, dims):
    if isinstance(dims, int):
        dims_a, dims_b = list(range(a.dim() - dims, a.dim())), list(range(dims))
    else:
        dims_a, dims_b = [d % a.dim() for d in dims[0]], [d % b.dim() for d in dims[1]]
    free_a = [d for d in range(a.dim()) if d not in dims_a]
    free_b = [d for d in range(b.dim()) if d not in dims_b]
    shape_a, shape_b = [a.shape[d] for d in free_a], [b.shape[d] for d in free_b]
    M, N, K = math.prod(shape_a), math.prod(shape_b), math.prod(a.shape[d] for d in dims_a)
    left, right = a.permute(free_a + dims_a).reshape(M, K), b.permute(dims_b + free_b).reshape(K, N)
    out = torch.empty(shape_a + shape_b, dtype=a.dtype, device=a.device)
    if M * N > 0:
        tile = tile_shape(M, N, half=a.dtype != torch.float32)
        product_rsqrt_kernel[(triton.cdiv(M, tile["BLOCK_M"]) * triton.cdiv(N, tile["BLOCK_N"]),)](
            left, right, out, M, N, K, *left.stride(), *right.stride(), GROUP_M=8, **tile
        )
    return out
