"""Linear layer, sigmoid and dropout in Triton: a tile of the product a program, finished before it is stored.

The mask comes from a counter-based generator: a new seed every call, the element's place in the result as the counter.
"""
import math

import torch
import triton
import triton.language as tl


@triton.jit
def linear_sigmoid_dropout_kernel(
    x_ptr, w_ptr, b_ptr, y_ptr, m, n, k, x_row, x_col, w_row, w_col, b_stride, p, scale, seed,
    HAS_BIAS: tl.constexpr, DROP: tl.constexpr, M_TILE: tl.constexpr, N_TILE: tl.constexpr, K_TILE: tl.constexpr,
):
    n_tiles = tl.cdiv(n, N_TILE)
    rows = (tl.program_id(0) // n_tiles) * M_TILE + tl.arange(0, M_TILE)
    cols = (tl.program_id(0) % n_tiles) * N_TILE + tl.arange(0, N_TILE)
    acc = tl.zeros((M_TILE, N_TILE), tl.float32)
    for start in range(0, k, K_TILE):
        terms = start + tl.arange(0, K_TILE)
        x_mask = (rows < m)[:, None] & (terms < k)[None, :]
        x = tl.load(x_ptr + rows[:, None].to(tl.int64) * x_row + terms[None, :] * x_col, mask=x_mask, other=0.0)
        w_mask = (terms < k)[:, None] & (cols < n)[None, :]
        w = tl.load(w_ptr + cols[None, :].to(tl.int64) * w_row + terms[:, None] * w_col, mask=w_mask, other=0.0)
        acc = tl.dot(x, w, acc, input_precision="ieee")
    if HAS_BIAS:
        acc += tl.load(b_ptr + cols * b_stride, mask=cols < n, other=0.0).to(tl.float32)[None, :]
    y_at = rows[:, None].to(tl.int64) * n + cols[None, :]
    y_mask = (rows < m)[:, None] & (cols < n)[None, :]
    y = 1.0 / (1.0 + tl.exp(-acc))
    if DROP:
        y = tl.where(tl.rand(seed, y_at.to(tl.int32)) >= p, y * scale, 0.0)
    tl.store(y_ptr + y_at, y, mask=y_mask)


def fused_dropout_sigmoid_linear(input, weight, bias=None, p=0.5, training=True, inplace=False):
    m, k, n = math.prod(input.shape[:-1]), input.shape[-1], weight.shape[0]
    x = input.reshape(m, k)
    y = torch.empty(input.shape[:-1] + (n,), dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        drop = training and p > 0
        seed = int(torch.randint(2**31 - 1, (), device="cpu")) if drop else 0
        scale = 1 / (1 - p) if p < 1 else 0.0
        m_tile, n_tile, k_tile = 64, 64, 32
        linear_sigmoid_dropout_kernel[(triton.cdiv(m, m_tile) * triton.cdiv(n, n_tile),)](
            x, weight, weight if bias is None else bias, y, m, n, k, *x.stride(), *weight.stride(),
            0 if bias is None else bias.stride(0), float(p), scale, seed, HAS_BIAS=bias is not None, DROP=drop,
            M_TILE=m_tile, N_TILE=n_tile, K_TILE=k_tile, num_warps=4,
        )
    return y
