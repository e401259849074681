# task: fused_dropout_sigmoid_linear
# style: dropout by tl.rand from offsets and a seed that torch draws for every call; training flags as constexpr
import math

import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, y_ptr, M, N, K, xm, xk, wn, wk, p, keep, seed, BIAS: tl.constexpr, DROP: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, cols = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        ks = k + tl.arange(0, BK)
        x = tl.load(x_ptr + rows[:, None] * xm + ks[None, :] * xk, mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)
        w = tl.load(w_ptr + cols[None, :] * wn + ks[:, None] * wk, mask=(cols[None, :] < N) & (ks[:, None] < K), other=0.0)
        acc = tl.dot(x, w, acc, input_precision="ieee")
    if BIAS:
        acc += tl.load(b_ptr + cols, mask=cols < N, other=0.0).to(tl.float32)[None, :]
    s = 1.0 / (1.0 + tl.exp(-acc))
    at = rows[:, None] * N + cols[None, :]
    if DROP:
        s = tl.where(tl.rand(seed, at) < p, 0.0, s * keep)
    tl.store(y_ptr + at, s.to(y_ptr.dtype.element_ty), mask=(rows[:, None] < M) & (cols[None, :] < N))


def fused_dropout_sigmoid_linear(input, weight, bias=None, p=0.5, training=True, inplace=False):
    (N, K), M = weight.shape, math.prod(input.shape[:-1])
    x = input.reshape(M, K)
    y = torch.empty((*input.shape[:-1], N), dtype=input.dtype, device=input.device)
    drop = bool(training) and p > 0
    seed = torch.randint(0, 2**31 - 1, (1,)).item() if drop else 0
    if y.numel() > 0:
        b = x if bias is None else bias.contiguous()
        kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](x, weight, b, y, M, N, K, *x.stride(), *weight.stride(), float(p), 1.0 / (1.0 - p) if p < 1 else 0.0, seed,
                                                         BIAS=bias is not None, DROP=drop, BM=32, BN=32, BK=32)
    return y
