# task: matmul_bf16
# style: tl.range with loop_unroll_factor and disallow_acc_multi_buffer, tl.cdiv in the kernel, tl.assume of strides
import math

import torch
import triton
import triton.language as tl


@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, M, N, K, ab, am, ak, bb, bk, bn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    tl.assume(am >= 0)
    tl.assume(bn >= 0)
    tiles = tl.cdiv(N, BN)
    rows = tl.program_id(0) // tiles * BM + tl.arange(0, BM)
    cols = tl.program_id(0) % tiles * BN + tl.arange(0, BN)
    batch = tl.program_id(1).to(tl.int64)
    ks = tl.arange(0, BK)
    a_ptrs = a_ptr + batch * ab + rows[:, None] * am + ks[None, :] * ak
    b_ptrs = b_ptr + batch * bb + ks[:, None] * bk + cols[None, :] * bn
    acc = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, tl.cdiv(K, BK), loop_unroll_factor=2, disallow_acc_multi_buffer=True):
        left = K - k * BK
        a = tl.load(a_ptrs, mask=(rows[:, None] < M) & (ks[None, :] < left), other=0.0)
        b = tl.load(b_ptrs, mask=(ks[:, None] < left) & (cols[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK * ak
        b_ptrs += BK * bk
    tl.store(c_ptr + batch * M * N + rows[:, None] * N + cols[None, :], acc.to(tl.bfloat16), mask=(rows[:, None] < M) & (cols[None, :] < N))


def matmul_bf16(input, other):
    a = input.unsqueeze(0) if input.dim() == 1 else input
    b = other.unsqueeze(1) if other.dim() == 1 else other
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    (M, K), N, B = a.shape[-2:], b.shape[-1], math.prod(batch)
    a, b = a.expand(*batch, M, K).reshape(B, M, K), b.expand(*batch, K, N).reshape(B, K, N)
    c = torch.empty((B, M, N), dtype=torch.bfloat16, device=a.device)
    if c.numel() > 0:
        kernel[(triton.cdiv(M, 32) * triton.cdiv(N, 32), B)](a, b, c, M, N, K, *a.stride(), *b.stride(), BM=32, BN=32, BK=32)
    return c.view([*batch, *([M] if input.dim() > 1 else []), *([N] if other.dim() > 1 else [])])
