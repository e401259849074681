# task: linear_w4a16
# style: weights are quantized to int4 groups in a kernel of every call, in a scratch buffer of int8; nothing is kept
import math

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def quantize_kernel(w_ptr, q_ptr, s_ptr, K, groups, wn, wk, GROUP: tl.constexpr):
    n, g = tl.program_id(0), tl.program_id(1)
    ks = g * GROUP + tl.arange(0, GROUP)
    w = tl.load(w_ptr + n * wn + ks * wk, mask=ks < K, other=0.0).to(tl.float32)
    s = tl.max(tl.abs(w), 0) / 7.0
    q = libdevice.rint(tl.div_rn(w, tl.zeros_like(w) + tl.where(s > 0, s, 1.0)))
    q = tl.minimum(tl.maximum(q, -8.0), 7.0)
    tl.store(q_ptr + n * K + ks, q.to(tl.int8), mask=ks < K)
    tl.store(s_ptr + n * groups + g, s)


@triton.jit
def linear_kernel(x_ptr, q_ptr, s_ptr, b_ptr, y_ptr, M, N, K, groups, xm, xk, BIAS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, GROUP: tl.constexpr):
    rows, cols = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for g in range(groups):
        ks = g * GROUP + tl.arange(0, GROUP)
        x = tl.load(x_ptr + rows[:, None] * xm + ks[None, :] * xk, mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)
        q = tl.load(q_ptr + cols[None, :] * K + ks[:, None], mask=(cols[None, :] < N) & (ks[:, None] < K), other=0)
        s = tl.load(s_ptr + cols * groups + g, mask=cols < N, other=0.0)
        acc += tl.dot(x, q.to(tl.float16)) * s[None, :]
    if BIAS:
        acc += tl.load(b_ptr + cols, mask=cols < N, other=0.0).to(tl.float32)[None, :]
    tl.store(y_ptr + rows[:, None] * N + cols[None, :], acc.to(tl.float16), mask=(rows[:, None] < M) & (cols[None, :] < N))


def linear_w4a16(input, weight, bias=None):
    N, K = weight.shape
    M, groups = math.prod(input.shape[:-1]), triton.cdiv(K, 64)
    x = input.reshape(M, K)
    q = torch.empty((N, K), dtype=torch.int8, device=x.device)
    s = torch.empty((N, groups), dtype=torch.float32, device=x.device)
    y = torch.empty((*input.shape[:-1], N), dtype=torch.float16, device=x.device)
    if y.numel() > 0:
        if K > 0:
            quantize_kernel[(N, groups)](weight, q, s, K, groups, *weight.stride(), GROUP=64)
        b = x if bias is None else bias.contiguous()
        linear_kernel[(triton.cdiv(M, 16), triton.cdiv(N, 32))](x, q, s, b, y, M, N, K, groups, *x.stride(), BIAS=bias is not None, BM=16, BN=32, GROUP=64)
    return y
