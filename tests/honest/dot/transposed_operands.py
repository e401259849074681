# task: fused_elu_linear
# style: tl.trans in front of tl.dot, tl.dot with an accumulator and allow_tf32=False (the old spelling)
import torch
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x_ptr, w_ptr, b_ptr, y_ptr, M, N, K, alpha, BIAS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, cols = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        ks = k + tl.arange(0, BK)
        x = tl.load(x_ptr + rows[:, None] * K + ks[None, :], mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)
        w = tl.load(w_ptr + cols[:, None] * K + ks[None, :], mask=(cols[:, None] < N) & (ks[None, :] < K), other=0.0)
        acc = tl.dot(x, tl.trans(w), acc, allow_tf32=False)
    if BIAS:
        acc += tl.load(b_ptr + cols, mask=cols < N, other=0.0).to(tl.float32)[None, :]
    low = tl.minimum(acc, 0.0)
    em1 = tl.where(low > -0.01, low * (1 + low * (0.5 + low * (1 / 6 + low / 24))), tl.exp(low) - 1.0)
    z = tl.where(acc > 0, acc, tl.where(acc != acc, acc, alpha * em1))
    tl.store(y_ptr + rows[:, None] * N + cols[None, :], z.to(y_ptr.dtype.element_ty), mask=(rows[:, None] < M) & (cols[None, :] < N))


def fused_elu_linear(input, weight, bias=None, alpha=1.0, inplace=False):
    N, K = weight.shape
    x = input.reshape(-1, K) if K else input.reshape(input.numel() // 1 or -1, 0) if input.numel() else input.new_empty((_rows(input), 0))
    x, w = x.contiguous(), weight.contiguous()
    b = bias.contiguous() if bias is not None else w
    M = _rows(input)
    y = torch.empty((*input.shape[:-1], N), dtype=input.dtype, device=input.device)
    if y.numel() > 0:
        linear_kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](x, w, b, y, M, N, K, float(alpha), BIAS=bias is not None, BM=32, BN=32, BK=32)
    return y


def _rows(x):
    rows = 1
    for s in x.shape[:-1]:
        rows *= s
    return rows
