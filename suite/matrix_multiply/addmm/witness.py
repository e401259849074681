"""Witness of addmm: a tiled matrix product whose last step scales it and adds the scaled input."""
import torch
import triton
import triton.language as tl


@triton.jit
def addmm_kernel(
    input_ptr, a_ptr, b_ptr, out_ptr, M, N, K, beta, alpha,
    stride_im, stride_in, stride_am, stride_ak, stride_bk, stride_bn, stride_om, stride_on,
    ADD: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
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

    acc *= alpha
    inside = (rows[:, None] < M) & (cols[None, :] < N)
    m, n = rows[:, None].to(tl.int64), cols[None, :].to(tl.int64)
    if ADD:  # not for beta = 0: whatever input holds, it must leave no trace
        acc += beta * tl.load(input_ptr + m * stride_im + n * stride_in, mask=inside, other=0.0).to(tl.float32)
    tl.store(out_ptr + m * stride_om + n * stride_on, acc.to(out_ptr.dtype.element_ty), mask=inside)


def tile_shape(M, N, half):
    """Large tiles for reuse, smaller ones when there would be too few programs to fill the device."""
    if M * N >= 1000 * 1000:
        if half:
            return dict(BLOCK_M=128, BLOCK_N=128, BLOCK_K=64, num_warps=8, num_stages=3)
        return dict(BLOCK_M=128, BLOCK_N=128, BLOCK_K=16, num_warps=8, num_stages=3)
    if M > 32 and N > 32:
        return dict(BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, num_warps=4, num_stages=3)
    return dict(BLOCK_M=32, BLOCK_N=32, BLOCK_K=32, num_warps=4, num_stages=3)


def addmm(input, mat1, mat2, beta=1, alpha=1, out=None):
    M, K, N = mat1.shape[0], mat1.shape[1], mat2.shape[1]
    if out is None:
        out = torch.empty((M, N), dtype=mat1.dtype, device=mat1.device)
    if M * N > 0:
        added = input.expand(M, N)  # dimensions that repeat get stride 0
        tile = tile_shape(M, N, half=mat1.dtype != torch.float32)
        addmm_kernel[(triton.cdiv(M, tile["BLOCK_M"]) * triton.cdiv(N, tile["BLOCK_N"]),)](
            added, mat1, mat2, out, M, N, K, float(beta), float(alpha),
            *added.stride(), *mat1.stride(), *mat2.stride(), *out.stride(), ADD=beta != 0, GROUP_M=8, **tile,
        )
    return out
