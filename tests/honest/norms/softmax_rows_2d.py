# task: fused_log_softmax_linear
# style: the linear layer's result is an intermediate float32 tensor; a second kernel normalizes along any dimension
import math

import torch
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x_ptr, w_ptr, b_ptr, z_ptr, M, N, K, xm, xk, wn, wk, BIAS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, cols = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        ks = k + tl.arange(0, BK)
        x = tl.load(x_ptr + rows[:, None] * xm + ks[None, :] * xk, mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)
        w = tl.load(w_ptr + cols[None, :] * wn + ks[:, None] * wk, mask=(cols[None, :] < N) & (ks[:, None] < K), other=0.0)
        acc = tl.dot(x, w, acc, input_precision="ieee")
    if BIAS:
        acc += tl.load(b_ptr + cols, mask=cols < N, other=0.0).to(tl.float32)[None, :]
    tl.store(z_ptr + rows[:, None] * N + cols[None, :], acc, mask=(rows[:, None] < M) & (cols[None, :] < N))


@triton.jit
def log_softmax_kernel(z_ptr, y_ptr, n, inner, ACC: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    base = (pid // inner).to(tl.int64) * n * inner + pid % inner
    k = tl.arange(0, BLOCK)
    z = tl.load(z_ptr + base + k * inner, mask=k < n, other=float("-inf")).to(ACC)
    d = z - tl.max(z, 0)
    tl.store(y_ptr + base + k * inner, (d - tl.log(tl.sum(tl.exp(d), 0))).to(y_ptr.dtype.element_ty), mask=k < n)


def fused_log_softmax_linear(input, weight, bias=None, dim=-1, dtype=None):
    (N, K), M = weight.shape, math.prod(input.shape[:-1])
    x = input.reshape(M, K)
    shape = (*input.shape[:-1], N)
    z = torch.empty(shape, dtype=torch.float32, device=x.device)
    y = torch.empty(shape, dtype=dtype or input.dtype, device=x.device)
    if y.numel() > 0:
        b = x if bias is None else bias.contiguous()
        linear_kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](x, weight, b, z, M, N, K, *x.stride(), *weight.stride(), BIAS=bias is not None, BM=32, BN=32, BK=32)
        dim %= len(shape)
        n, inner = shape[dim], math.prod(shape[dim + 1:])
        log_softmax_kernel[(y.numel() // n,)](z, y, n, inner, ACC=tl.float64 if y.dtype == torch.float64 else tl.float32, BLOCK=triton.next_power_of_2(n))
    return y
