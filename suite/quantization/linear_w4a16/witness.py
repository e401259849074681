"""Witness of linear_w4a16: one pass over the weights; each tile is quantized in registers and multiplied at once.

A step of the K loop is one quantization group. The product takes the 4-bit integers themselves (exact in float16) and
the group's scale is applied to its float32 sums, so the weights are never written back.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def round_even(x):
    """Nearest integer, ties to even, for |x| < 2^22: adding 1.5 * 2^23 pushes the fraction out of the mantissa."""
    return (x + 12582912.0) - 12582912.0


@triton.jit
def linear_w4a16_kernel(
    x_ptr, w_ptr, bias_ptr, y_ptr, M, N, K, stride_xm, stride_xk, stride_wn, stride_wk,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, GROUP: tl.constexpr, HAS_BIAS: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    ks = tl.arange(0, GROUP)
    x_ptrs = x_ptr + rows[:, None].to(tl.int64) * stride_xm + ks[None, :] * stride_xk
    w_ptrs = w_ptr + cols[:, None].to(tl.int64) * stride_wn + ks[None, :] * stride_wk
    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for k in range(0, K, GROUP):
        inside = ks[None, :] < K - k
        x = tl.load(x_ptrs, mask=(rows[:, None] < M) & inside, other=0.0)
        w = tl.load(w_ptrs, mask=(cols[:, None] < N) & inside, other=0.0).to(tl.float32)
        scale = tl.max(tl.abs(w), axis=1) / 7.0
        divisor = tl.where(scale > 0, scale, 1.0)  # a group of zeros stays zeros
        q = tl.clamp(round_even(w / divisor[:, None]), -8.0, 7.0)
        acc += tl.dot(x, tl.trans(q.to(tl.float16))) * scale[None, :]
        x_ptrs += GROUP * stride_xk
        w_ptrs += GROUP * stride_wk
    if HAS_BIAS:
        acc += tl.load(bias_ptr + cols, mask=cols < N, other=0.0).to(tl.float32)[None, :]
    y_ptrs = y_ptr + rows[:, None].to(tl.int64) * N + cols[None, :]
    tl.store(y_ptrs, acc.to(tl.float16), mask=(rows[:, None] < M) & (cols[None, :] < N))


def linear_w4a16(input, weight, bias=None):
    x = input.reshape(-1, input.shape[-1])
    (M, K), N = x.shape, weight.shape[0]
    bias = bias.contiguous() if bias is not None else None
    y = torch.empty((*input.shape[:-1], N), dtype=torch.float16, device=input.device)
    BLOCK_M = min(max(triton.next_power_of_2(M), 16), 64)
    BLOCK_N = 32 if M <= 32 else 64  # few rows: the weights' bandwidth counts, so make many programs
    linear_w4a16_kernel[(triton.cdiv(M, BLOCK_M), triton.cdiv(N, BLOCK_N))](
        x, weight, bias, y, M, N, K, *x.stride(), *weight.stride(),
        BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, GROUP=64, HAS_BIAS=bias is not None, num_warps=4, num_stages=4,
    )
    return y
