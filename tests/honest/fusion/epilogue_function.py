# task: fused_softplus_linear
# style: an epilogue as a jitted function chosen by a constexpr; beta and threshold as run-time numbers
import math

import torch
import triton
import triton.language as tl


@triton.jit
def log1p(u):
    v = 1.0 + u
    return tl.where(v == 1.0, u, tl.log(v) * (u / tl.where(v == 1.0, 1.0, v - 1.0)))


@triton.jit
def softplus(z, beta, threshold):
    t = beta * z
    return tl.where(t > threshold, z, log1p(tl.exp(tl.where(t > threshold, 0.0, t))) / beta)


@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, y_ptr, M, N, K, xm, xk, wn, wk, beta, threshold, EPILOGUE: tl.constexpr, BIAS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, cols = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        ks = k + tl.arange(0, BK)
        x = tl.load(x_ptr + rows[:, None] * xm + ks[None, :] * xk, mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)
        w = tl.load(w_ptr + cols[None, :] * wn + ks[:, None] * wk, mask=(cols[None, :] < N) & (ks[:, None] < K), other=0.0)
        acc = tl.dot(x, w, acc, input_precision="ieee")
    if BIAS:
        acc += tl.load(b_ptr + cols, mask=cols < N, other=0.0).to(tl.float32)[None, :]
    y = EPILOGUE(acc, beta, threshold)
    tl.store(y_ptr + rows[:, None] * N + cols[None, :], y.to(y_ptr.dtype.element_ty), mask=(rows[:, None] < M) & (cols[None, :] < N))


def fused_softplus_linear(input, weight, bias=None, beta=1, threshold=20):
    (N, K), M = weight.shape, math.prod(input.shape[:-1])
    x = input.reshape(M, K)
    y = torch.empty((*input.shape[:-1], N), dtype=input.dtype, device=input.device)
    if y.numel() > 0:
        b = x if bias is None else bias.contiguous()
        kernel[(triton.cdiv(M, 16), triton.cdiv(N, 32))](x, weight, b, y, M, N, K, *x.stride(), *weight.stride(), float(beta), float(threshold),
                                                         EPILOGUE=softplus, BIAS=bias is not None, BM=16, BN=32, BK=32)
    return y
