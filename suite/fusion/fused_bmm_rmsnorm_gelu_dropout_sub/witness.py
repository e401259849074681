"""Batched matrix product, RMS normalization, GELU, dropout and subtraction in Triton.

One kernel makes the product in float32, a tile a program; a second one finishes it, a row a program. The mask comes
from a counter-based generator: a new seed every call, the element's place in the result as the counter.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def bmm_kernel(
    a_ptr, b_ptr, c_ptr, m, n, k, a_batch, a_row, a_col, b_batch, b_row, b_col,
    M_TILE: tl.constexpr, N_TILE: tl.constexpr, K_TILE: tl.constexpr,
):
    """c[batch] = a[batch] @ b[batch]; c is contiguous, a program computes one tile of it."""
    n_tiles = tl.cdiv(n, N_TILE)
    tiles = tl.cdiv(m, M_TILE) * n_tiles
    batch = (tl.program_id(0) // tiles).to(tl.int64)
    tile = tl.program_id(0) % tiles
    rows = (tile // n_tiles) * M_TILE + tl.arange(0, M_TILE)
    cols = (tile % n_tiles) * N_TILE + tl.arange(0, N_TILE)
    a_ptr += batch * a_batch
    b_ptr += batch * b_batch
    acc = tl.zeros((M_TILE, N_TILE), tl.float32)
    for start in range(0, k, K_TILE):
        terms = start + tl.arange(0, K_TILE)
        a_mask = (rows < m)[:, None] & (terms < k)[None, :]
        a = tl.load(a_ptr + rows[:, None].to(tl.int64) * a_row + terms[None, :] * a_col, mask=a_mask, other=0.0)
        b_mask = (terms < k)[:, None] & (cols < n)[None, :]
        b = tl.load(b_ptr + terms[:, None].to(tl.int64) * b_row + cols[None, :] * b_col, mask=b_mask, other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")
    at = (batch * m + rows[:, None]) * n + cols[None, :]
    c_mask = (rows < m)[:, None] & (cols < n)[None, :]
    tl.store(c_ptr + at, acc, mask=c_mask)


@triton.jit
def rmsnorm_gelu_dropout_kernel(
    z_ptr, other_ptr, y_ptr, n, eps, p, scale, seed, rows, other_batch, other_row, other_col,
    DROP: tl.constexpr, TANH: tl.constexpr, BLOCK: tl.constexpr,
):
    row = tl.program_id(0).to(tl.int64)
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        z = tl.load(z_ptr + row * n + cols, mask=cols < n, other=0.0)
        squares += z * z
    factor = 1.0 / tl.sqrt(tl.sum(squares, axis=0) / n + eps)
    for start in range(0, n, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        at = row * n + cols
        y = tl.load(z_ptr + at, mask=cols < n, other=0.0) * factor
        if TANH:
            # 0.5 * (1 + tanh(u)) is the logistic function of 2 u; exp may overflow to inf, which gives 0.
            phi = 1.0 / (1.0 + tl.exp(-2.0 * 0.7978845608028654 * (y + 0.044715 * y * y * y)))
        else:
            phi = 0.5 * (1.0 + tl.erf(y * 0.7071067811865476))
        y *= phi
        if DROP:
            y = tl.where(tl.rand(seed, at.to(tl.int32)) >= p, y * scale, 0.0)
        other_at = row // rows * other_batch + row % rows * other_row + cols * other_col
        y -= tl.load(other_ptr + other_at, mask=cols < n, other=0.0).to(tl.float32)
        tl.store(y_ptr + at, y, mask=cols < n)


def fused_bmm_rmsnorm_gelu_dropout_sub(
    input1, input2, other, normalized_shape, dropout_p=0.5, training=True, approximate="none", eps=1e-05, *, out=None
):
    (batches, m, k), n = input1.shape, input2.shape[2]
    result = torch.empty((batches, m, n), dtype=input1.dtype, device=input1.device)
    if result.numel() > 0:
        z = torch.empty((batches, m, n), dtype=torch.float32, device=input1.device)
        m_tile, n_tile, k_tile = 64, 64, 32
        bmm_kernel[(batches * triton.cdiv(m, m_tile) * triton.cdiv(n, n_tile),)](
            input1, input2, z, m, n, k, *input1.stride(), *input2.stride(),
            M_TILE=m_tile, N_TILE=n_tile, K_TILE=k_tile, num_warps=4,
        )
        drop = training and dropout_p > 0
        seed = int(torch.randint(2**31 - 1, (), device="cpu")) if drop else 0
        scale = 1 / (1 - dropout_p) if dropout_p < 1 else 0.0
        block = min(triton.next_power_of_2(n), 2048)
        rmsnorm_gelu_dropout_kernel[(batches * m,)](
            z, other, result, n, float(eps), float(dropout_p), scale, seed, m, *other.expand(result.shape).stride(),
            DROP=drop, TANH=approximate == "tanh", BLOCK=block, num_warps=max(min(block // 256, 8), 1),
        )
    return result if out is None else out.copy_(result)
