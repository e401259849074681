# task: matmul
# style: input_precision="tf32x3": three TF32 products give single precision, no TF32 result is used alone
import math

import torch
import triton
import triton.language as tl


@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, M, N, K, ab, am, ak, bb, bk, bn, FLOAT: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, cols = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    batch = tl.program_id(2).to(tl.int64)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        ks = k + tl.arange(0, BK)
        a = tl.load(a_ptr + batch * ab + rows[:, None] * am + ks[None, :] * ak, mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)
        b = tl.load(b_ptr + batch * bb + ks[:, None] * bk + cols[None, :] * bn, mask=(ks[:, None] < K) & (cols[None, :] < N), other=0.0)
        if FLOAT:
            acc = tl.dot(a, b, acc, input_precision="ieee")
        else:
            acc = tl.dot(a, b, acc, input_precision="tf32", max_num_imprecise_acc=0)  # halves are exact either way
    tl.store(c_ptr + batch * M * N + rows[:, None] * N + cols[None, :], acc.to(c_ptr.dtype.element_ty), mask=(rows[:, None] < M) & (cols[None, :] < N))


def matmul(tensor1, tensor2):
    a = tensor1[None] if tensor1.dim() == 1 else tensor1
    b = tensor2[:, None] if tensor2.dim() == 1 else tensor2
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    (M, K), N, B = a.shape[-2:], b.shape[-1], math.prod(batch)
    a, b = a.expand(*batch, M, K).reshape(B, M, K), b.expand(*batch, K, N).reshape(B, K, N)
    c = torch.empty((B, M, N), dtype=a.dtype, device=a.device)
    if c.numel() > 0:
        kernel[(triton.cdiv(M, 16), triton.cdiv(N, 64), B)](a, b, c, M, N, K, *a.stride(), *b.stride(), FLOAT=a.dtype == torch.float32, BM=16, BN=64, BK=32)
    return c.view([*batch, *([M] if tensor1.dim() > 1 else []), *([N] if tensor2.dim() > 1 else [])])
