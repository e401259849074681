"""Linear layer and ELU in Triton: a tile of the product a program, activated in registers before it is stored."""
import math

import torch
import triton
import triton.language as tl


@triton.jit
def linear_elu_kernel(
    x_ptr, w_ptr, b_ptr, y_ptr, m, n, k, x_row, x_col, w_row, w_col, b_stride, alpha,
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
    # exp only of what is not positive: elsewhere it might overflow.
    y = tl.where(acc > 0, acc, alpha * (tl.exp(tl.minimum(acc, 0.0, propagate_nan=tl.PropagateNan.ALL)) - 1.0))
    tl.store(y_ptr + y_at, y, mask=y_mask)


def fused_elu_linear(input, weight, bias=None, alpha=1.0, inplace=False):
    m, k, n = math.prod(input.shape[:-1]), input.shape[-1], weight.shape[0]
    x = input.reshape(m, k)
    y = torch.empty(input.shape[:-1] + (n,), dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        m_tile, n_tile, k_tile = 64, 64, 32
        linear_elu_kernel[(triton.cdiv(m, m_tile) * triton.cdiv(n, n_tile),)](
            x, weight, weight if bias is None else bias, y, m, n, k, *x.stride(), *weight.stride(),
            0 if bias is None else bias.stride(0), float(alpha), HAS_BIAS=bias is not None,
            M_TILE=m_tile, N_TILE=n_tile, K_TILE=k_tile, num_warps=4,
        )
    return y
