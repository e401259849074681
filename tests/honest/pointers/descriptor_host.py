# task: matmul_bf16
# style: tensor descriptors made on the host (TensorDescriptor.from_tensor) where the strides allow it, pointers elsewhere
import math

import torch
import triton
import triton.language as tl

try:
    from triton.tools.tensor_descriptor import TensorDescriptor
except ImportError:
    TensorDescriptor = None


@triton.jit
def descriptor_kernel(a_desc, b_desc, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row, col = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a_desc.load([row, k]), b_desc.load([k, col]), acc)
    rows, cols = row + tl.arange(0, BM), col + tl.arange(0, BN)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc.to(tl.bfloat16), mask=(rows[:, None] < M) & (cols[None, :] < N))


@triton.jit
def pointer_kernel(a_ptr, b_ptr, c_ptr, M, N, K, ab, am, ak, bb, bk, bn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, cols = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    batch = tl.program_id(2)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        ks = k + tl.arange(0, BK)
        a = tl.load(a_ptr + batch * ab + rows[:, None] * am + ks[None, :] * ak, mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)
        b = tl.load(b_ptr + batch * bb + ks[:, None] * bk + cols[None, :] * bn, mask=(ks[:, None] < K) & (cols[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + batch * M * N + rows[:, None] * N + cols[None, :], acc.to(tl.bfloat16), mask=(rows[:, None] < M) & (cols[None, :] < N))


def fits(x):
    return TensorDescriptor is not None and x.stride(1) == 1 and x.stride(0) * 2 % 16 == 0 and x.data_ptr() % 16 == 0


def matmul_bf16(input, other):
    a = input.unsqueeze(0) if input.dim() == 1 else input
    b = other.unsqueeze(1) if other.dim() == 1 else other
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    (M, K), N, B = a.shape[-2:], b.shape[-1], math.prod(batch)
    a, b = a.expand(*batch, M, K).reshape(B, M, K), b.expand(*batch, K, N).reshape(B, K, N)
    c = torch.empty((B, M, N), dtype=torch.bfloat16, device=a.device)
    if c.numel() > 0:
        grid = (triton.cdiv(M, 32), triton.cdiv(N, 32), B)
        if B == 1 and K > 0 and fits(a[0]) and fits(b[0]):
            descriptor_kernel[grid](TensorDescriptor.from_tensor(a[0], [32, 32]), TensorDescriptor.from_tensor(b[0], [32, 32]), c, M, N, K, BM=32, BN=32, BK=32)
        else:
            pointer_kernel[grid](a, b, c, M, N, K, *a.stride(), *b.stride(), BM=32, BN=32, BK=32)
    return c.view([*batch, *([M] if input.dim() > 1 else []), *([N] if other.dim() > 1 else [])])
