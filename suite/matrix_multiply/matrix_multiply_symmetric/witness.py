"""Witness of matrix_multiply_symmetric: the same tiled product twice.

out = alpha * A @ B + beta * C is computed for X, and then with X, its transpose (which is X with strides swapped) and
X again for the result.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def product_kernel(
    a_ptr, b_ptr, c_ptr, out_ptr, M, N, K, alpha, beta,
    stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
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
    m, n = rows[:, None].to(tl.int64), cols[None, :].to(tl.int64)
    c = tl.load(c_ptr + m * stride_cm + n * stride_cn, mask=inside, other=0.0)
    tl.store(out_ptr + m * N + n, alpha * acc + beta * c, mask=inside)


def scaled_product(a, b, c, alpha, beta):
    """alpha * a @ b + beta * c. Large tiles for reuse, smaller ones when too few programs would fill the device."""
    M, K, N = a.shape[0], a.shape[1], b.shape[1]
    out = torch.empty((M, N), dtype=a.dtype, device=a.device)
    if M * N >= 1000 * 1000:
        tile = dict(BLOCK_M=128, BLOCK_N=128, BLOCK_K=16, num_warps=8, num_stages=3)
    elif M > 32 and N > 32:
        tile = dict(BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, num_warps=4, num_stages=3)
    else:
        tile = dict(BLOCK_M=32, BLOCK_N=32, BLOCK_K=32, num_warps=4, num_stages=3)
    if M * N > 0:
        product_kernel[(triton.cdiv(M, tile["BLOCK_M"]) * triton.cdiv(N, tile["BLOCK_N"]),)](
            a, b, c, out, M, N, K, float(alpha), float(beta), *a.stride(), *b.stride(), *c.stride(), GROUP_M=8, **tile
        )
    return out


def matrix_multiply_symmetric(A, B, C, alpha, beta):
    X = scaled_product(A, B, C, alpha, beta)
    return scaled_product(X, X.t(), X, alpha, beta)
