"""Witness of matmul_bf16: one tiled Triton kernel for every shape that torch.matmul accepts."""
import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K,
    stride_ab, stride_am, stride_ak, stride_bb, stride_bk, stride_bn, stride_cb, stride_cm, stride_cn,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
    EIGHTS: tl.constexpr,
):
    """C[batch] = A[batch] @ B[batch]; one program computes one BLOCK_M x BLOCK_N tile."""
    if EIGHTS:
        # The compiler finds out by itself about multiples of 16 only; with this it loads 16 bytes at once here too.
        N, stride_bk = N // 8 * 8, stride_bk // 8 * 8
    # Programs that run at the same time share rows of A and columns of B in L2: walk GROUP_M tile rows at once.
    pid = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(M, BLOCK_M), tl.cdiv(N, BLOCK_N)
    group = pid // (GROUP_M * tiles_n)
    group_rows = min(tiles_m - group * GROUP_M, GROUP_M)
    tile_m = group * GROUP_M + (pid % (GROUP_M * tiles_n)) % group_rows
    tile_n = (pid % (GROUP_M * tiles_n)) // group_rows

    batch = tl.program_id(1).to(tl.int64)
    rows = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    ks = tl.arange(0, BLOCK_K)
    # Rows and columns past the edge wrap around to valid ones: no mask in the loop, their results are not stored.
    a_ptrs = a_ptr + batch * stride_ab + (rows % M)[:, None] * stride_am + ks[None, :] * stride_ak
    b_ptrs = b_ptr + batch * stride_bb + ks[:, None] * stride_bk + (cols % N)[None, :] * stride_bn
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_ptrs, mask=ks[None, :] < K - k, other=0.0)
        b = tl.load(b_ptrs, mask=ks[:, None] < K - k, other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    c_ptrs = c_ptr + batch * stride_cb + rows[:, None].to(tl.int64) * stride_cm + cols[None, :] * stride_cn
    tl.store(c_ptrs, acc.to(tl.bfloat16), mask=(rows[:, None] < M) & (cols[None, :] < N))


def tile_shape(M, N):
    """Large tiles for reuse, smaller ones when there would be too few programs to fill the device."""
    if M * N >= 2000 * 2000:
        return dict(BLOCK_M=128, BLOCK_N=128, BLOCK_K=64, num_warps=8, num_stages=3)
    if M > 32 and N > 32:
        return dict(BLOCK_M=64, BLOCK_N=64, BLOCK_K=64, num_warps=4, num_stages=4)
    return dict(BLOCK_M=32, BLOCK_N=32, BLOCK_K=64, num_warps=4, num_stages=4)


def matmul_bf16(input, other):
    a = input.unsqueeze(0) if input.dim() == 1 else input
    b = other.unsqueeze(1) if other.dim() == 1 else other
    if b.dim() == 2 and a.dim() > 2:
        batch_shape, a_rows = (), a.shape[:-1]  # one matrix for all: the batch is just more rows
        a = a.reshape(-1, a.shape[-1])
    else:
        batch_shape, a_rows = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2:-1]
    M, K, N = a.shape[-2], a.shape[-1], b.shape[-1]
    a3 = a.expand(*batch_shape, M, K).reshape(-1, M, K) if batch_shape else a.unsqueeze(0)
    b3 = b.expand(*batch_shape, K, N).reshape(-1, K, N) if batch_shape else b.unsqueeze(0)
    c3 = torch.empty((a3.shape[0], M, N), dtype=torch.bfloat16, device=input.device)
    if c3.numel() > 0:
        tile = tile_shape(M, N)
        eights = N % 8 == 0 and b3.stride(1) % 8 == 0 and N % 16 != 0
        grid = (triton.cdiv(M, tile["BLOCK_M"]) * triton.cdiv(N, tile["BLOCK_N"]), a3.shape[0])
        matmul_kernel[grid](
            a3, b3, c3, M, N, K, *a3.stride(), *b3.stride(), *c3.stride(), GROUP_M=8, EIGHTS=eights, **tile,
        )
    shape = (*batch_shape, *(a_rows if input.dim() > 1 else ()), *((N,) if other.dim() > 1 else ()))
    return c3.view(shape)
