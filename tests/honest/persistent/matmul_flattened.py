# task: matmul_fp16
# style: a persistent matrix product with tl.range(flatten=True, num_stages=...) and a grouped tile order
import math

import torch
import triton
import triton.language as tl


@triton.jit
def tile_of(tile, tiles_m, tiles_n, GROUP: tl.constexpr):
    group = tile // (GROUP * tiles_n)
    rows = min(tiles_m - group * GROUP, GROUP)
    return group * GROUP + tile % rows, (tile % (GROUP * tiles_n)) // rows


@triton.jit
def persistent_kernel(a_ptr, b_ptr, c_ptr, M, N, K, ab, am, ak, bb, bk, bn, batches,
                      BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    tiles_m, tiles_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    per_batch = tiles_m * tiles_n
    for tile in tl.range(tl.program_id(0), per_batch * batches, tl.num_programs(0), num_stages=2):
        batch = tile // per_batch
        tm, tn = tile_of(tile % per_batch, tiles_m, tiles_n, GROUP)
        rows, cols = tm * BM + tl.arange(0, BM), tn * BN + tl.arange(0, BN)
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, tl.cdiv(K, BK)):
            ks = k * BK + tl.arange(0, BK)
            a = tl.load(a_ptr + batch * ab + rows[:, None] * am + ks[None, :] * ak, mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)
            b = tl.load(b_ptr + batch * bb + ks[:, None] * bk + cols[None, :] * bn, mask=(ks[:, None] < K) & (cols[None, :] < N), other=0.0)
            acc = tl.dot(a, b, acc)
        tl.store(c_ptr + batch * M * N + rows[:, None] * N + cols[None, :], acc.to(tl.float16), mask=(rows[:, None] < M) & (cols[None, :] < N))


def matmul_fp16(input, other):
    a = input.unsqueeze(0) if input.dim() == 1 else input
    b = other.unsqueeze(1) if other.dim() == 1 else other
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    (M, K), N, B = a.shape[-2:], b.shape[-1], math.prod(batch)
    a, b = a.expand(*batch, M, K).reshape(B, M, K), b.expand(*batch, K, N).reshape(B, K, N)
    c = torch.empty((B, M, N), dtype=torch.float16, device=input.device)
    if c.numel() > 0:
        tiles = triton.cdiv(M, 32) * triton.cdiv(N, 32) * B
        persistent_kernel[(min(tiles, 12),)](a, b, c, M, N, K, *a.stride(), *b.stride(), B, BM=32, BN=32, BK=32, GROUP=4)
    return c.view([*batch, *([M] if input.dim() > 1 else []), *([N] if other.dim() > 1 else [])])
