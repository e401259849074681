"""Witness of matmul: one tiled Triton kernel for every shape that torch.matmul accepts."""
import math

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K,
    stride_ab, stride_am, stride_ak, stride_bb, stride_bk, stride_bn, stride_cb, stride_cm, stride_cn,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
):
    """C[batch] = A[batch] @ B[batch]; one program computes one BLOCK_M x BLOCK_N tile."""
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
    a_ptrs = a_ptr + batch * stride_ab + (rows % M)[:, None].to(tl.int64) * stride_am + ks[None, :] * stride_ak
    b_ptrs = b_ptr + batch * stride_bb + ks[:, None] * stride_bk + (cols % N)[None, :].to(tl.int64) * stride_bn
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_ptrs, mask=ks[None, :] < K - k, other=0.0)
        b = tl.load(b_ptrs, mask=ks[:, None] < K - k, other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")  # no TF32
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    c_ptrs = c_ptr + batch * stride_cb + rows[:, None].to(tl.int64) * stride_cm + cols[None, :] * stride_cn
    tl.store(c_ptrs, acc.to(c_ptr.dtype.element_ty), mask=(rows[:, None] < M) & (cols[None, :] < N))


def tile_shape(M, N, half):
    """Large tiles for reuse, smaller ones when there would be too few programs to fill the device."""
    if M * N >= 1000 * 1000:
        if half:
            return dict(BLOCK_M=128, BLOCK_N=128, BLOCK_K=64, num_warps=8, num_stages=3)
        return dict(BLOCK_M=128, BLOCK_N=128, BLOCK_K=16, num_warps=8, num_stages=3)
    if M > 32 and N > 32:
        return dict(BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, num_warps=4, num_stages=3)
    return dict(BLOCK_M=32, BLOCK_N=32, BLOCK_K=32, num_warps=4, num_stages=3)


def matmul(tensor1, tensor2):
    a = tensor1.unsqueeze(0) if tensor1.dim() == 1 else tensor1
    b = tensor2.unsqueeze(1) if tensor2.dim() == 1 else tensor2
    if b.dim() == 2 and a.dim() > 2:
        batch_shape, a_rows = (), a.shape[:-1]  # one matrix for all: the batch is just more rows
        a = a.reshape(math.prod(a.shape[:-1]), a.shape[-1])
    else:
        batch_shape, a_rows = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2:-1]
    batches, M, K, N = math.prod(batch_shape), a.shape[-2], a.shape[-1], b.shape[-1]
    a3 = a.expand(*batch_shape, M, K).reshape(batches, M, K)
    b3 = b.expand(*batch_shape, K, N).reshape(batches, K, N)
    c3 = torch.empty((batches, M, N), dtype=tensor1.dtype, device=tensor1.device)
    if c3.numel() > 0:
        tile = tile_shape(M, N, half=tensor1.dtype != torch.float32)
        grid = (triton.cdiv(M, tile["BLOCK_M"]) * triton.cdiv(N, tile["BLOCK_N"]), batches)
        matmul_kernel[grid](a3, b3, c3, M, N, K, *a3.stride(), *b3.stride(), *c3.stride(), GROUP_M=8, **tile)
    shape = (*batch_shape, *(a_rows if tensor1.dim() > 1 else ()), *((N,) if tensor2.dim() > 1 else ()))
    return c3.view(shape)
