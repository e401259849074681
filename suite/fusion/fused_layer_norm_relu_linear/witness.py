"""Linear layer, ReLU and layer normalization in Triton.

One kernel makes z = relu(x w^T + b) in float32, a tile a program; a second one normalizes the rows of z (a row is
everything that one mean is taken over), reading a row three times if it does not fit into one block.
"""
import math

import torch
import triton
import triton.language as tl


@triton.jit
def linear_relu_kernel(
    x_ptr, w_ptr, b_ptr, z_ptr, m, n, k, x_row, x_col, w_row, w_col, b_stride, HAS_BIAS: tl.constexpr,
    M_TILE: tl.constexpr, N_TILE: tl.constexpr, K_TILE: tl.constexpr,
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
    z_mask = (rows < m)[:, None] & (cols < n)[None, :]
    z = tl.maximum(acc, 0.0, propagate_nan=tl.PropagateNan.ALL)
    tl.store(z_ptr + rows[:, None].to(tl.int64) * n + cols[None, :], z, mask=z_mask)


@triton.jit
def normalize_kernel(z_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    z_ptr += tl.program_id(0).to(tl.int64) * n
    y_ptr += tl.program_id(0).to(tl.int64) * n
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(z_ptr + at, mask=at < n, other=0.0)
    mean = tl.sum(total, axis=0) / n
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        difference = tl.where(at < n, tl.load(z_ptr + at, mask=at < n, other=0.0) - mean, 0.0)
        squares += difference * difference
    scale = 1.0 / tl.sqrt(tl.sum(squares, axis=0) / n + eps)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        z = tl.load(z_ptr + at, mask=at < n, other=0.0)
        tl.store(y_ptr + at, (z - mean) * scale, mask=at < n)


def fused_layer_norm_relu_linear(
    input, weight, bias=None, normalized_shape=None, eps=1e-05, elementwise_affine=True
):
    x = input.reshape(-1, input.shape[-1])
    (m, k), n = x.shape, weight.shape[0]
    z = torch.empty((m, n), dtype=torch.float32, device=x.device)
    y = torch.empty(input.shape[:-1] + (n,), dtype=x.dtype, device=x.device)
    if y.numel() == 0:
        return y
    m_tile, n_tile, k_tile = 64, 64, 32
    linear_relu_kernel[(triton.cdiv(m, m_tile) * triton.cdiv(n, n_tile),)](
        x, weight, weight if bias is None else bias, z, m, n, k, *x.stride(), *weight.stride(),
        0 if bias is None else bias.stride(0), HAS_BIAS=bias is not None,
        M_TILE=m_tile, N_TILE=n_tile, K_TILE=k_tile, num_warps=4,
    )
    length = n
    if isinstance(normalized_shape, (list, tuple)):
        length = math.prod(normalized_shape)
    block = min(triton.next_power_of_2(length), 2048)
    normalize_kernel[(z.numel() // length,)](z, y, length, eps, BLOCK=block, num_warps=max(min(block // 256, 8), 1))
    return y
