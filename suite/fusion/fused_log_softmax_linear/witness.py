"""Linear layer and log-softmax in Triton.

One kernel makes z = x w^T + b in float32, a tile a program; a second one normalizes it along any dimension, with a
running maximum and a running sum of exponentials.
"""
import math

import torch
import triton
import triton.language as tl


@triton.jit
def linear_kernel(
    x_ptr, w_ptr, b_ptr, y_ptr, m, n, k, x_row, x_col, w_row, w_col, b_stride,
    HAS_BIAS: tl.constexpr, M_TILE: tl.constexpr, N_TILE: tl.constexpr, K_TILE: tl.constexpr,
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
    tl.store(y_ptr + y_at, acc, mask=y_mask)


@triton.jit
def log_softmax_kernel(z_ptr, y_ptr, n, inner, N_TILE: tl.constexpr, INNER_TILE: tl.constexpr, ACC: tl.constexpr):
    """z seen as (outer, n, inner): a program owns one `outer` and a tile of `inner`, and reads its n elements twice."""
    inner_tiles = tl.cdiv(inner, INNER_TILE)
    start = (tl.program_id(0) // inner_tiles).to(tl.int64) * n * inner
    cols = (tl.program_id(0) % inner_tiles) * INNER_TILE + tl.arange(0, INNER_TILE)
    largest = tl.full((INNER_TILE,), -float("inf"), ACC)
    total = tl.zeros((INNER_TILE,), ACC)
    for first in range(0, n, N_TILE):
        rows = first + tl.arange(0, N_TILE)
        mask = (rows < n)[:, None] & (cols < inner)[None, :]
        at = start + rows[:, None].to(tl.int64) * inner + cols[None, :]
        z = tl.load(z_ptr + at, mask=mask, other=-float("inf")).to(ACC)
        new_largest = tl.maximum(largest, tl.max(z, axis=0))
        # Columns past the edge have no maximum to subtract.
        shift = tl.where(new_largest == -float("inf"), 0.0, new_largest)
        total = total * tl.exp(largest - shift) + tl.sum(tl.exp(z - shift[None, :]), axis=0)
        largest = new_largest
    log_total = tl.log(total)
    for first in range(0, n, N_TILE):
        rows = first + tl.arange(0, N_TILE)
        mask = (rows < n)[:, None] & (cols < inner)[None, :]
        at = start + rows[:, None].to(tl.int64) * inner + cols[None, :]
        z = tl.load(z_ptr + at, mask=mask, other=0.0).to(ACC)
        tl.store(y_ptr + at, z - largest[None, :] - log_total[None, :], mask=mask)


def fused_log_softmax_linear(input, weight, bias=None, dim=-1, dtype=None):
    m, k, n = math.prod(input.shape[:-1]), input.shape[-1], weight.shape[0]
    x = input.reshape(m, k)
    y = torch.empty(input.shape[:-1] + (n,), dtype=dtype or x.dtype, device=x.device)
    if y.numel() > 0:
        z = torch.empty(y.shape, dtype=torch.float32, device=x.device)
        m_tile, n_tile, k_tile = 64, 64, 32
        linear_kernel[(triton.cdiv(m, m_tile) * triton.cdiv(n, n_tile),)](
            x, weight, weight if bias is None else bias, z, m, n, k, *x.stride(), *weight.stride(),
            0 if bias is None else bias.stride(0), HAS_BIAS=bias is not None,
            M_TILE=m_tile, N_TILE=n_tile, K_TILE=k_tile, num_warps=4,
        )
        dim = dim % y.dim()
        length, inner = y.shape[dim], math.prod(y.shape[dim + 1:])
        inner_tile = min(triton.next_power_of_2(inner), 64)
        length_tile = min(triton.next_power_of_2(length), 2048 // inner_tile)
        log_softmax_kernel[(math.prod(y.shape[:dim]) * triton.cdiv(inner, inner_tile),)](
            z, y, length, inner, N_TILE=length_tile, INNER_TILE=inner_tile,
            ACC=tl.float64 if y.dtype == torch.float64 else tl.float32, num_warps=4,
        )
    return y
