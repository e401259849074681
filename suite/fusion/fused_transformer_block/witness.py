"""Softmax attention-like block with dropout, residual and layer normalization in Triton.

Four kernels: product, softmax with dropout (random numbers from Philox, seeded anew by torch's generator), product,
residual with layer normalization. Intermediate results are float32; a row of them fits into one block.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, c_ptr, m, n, k, a_row, b_row, b_col,
    M_TILE: tl.constexpr, N_TILE: tl.constexpr, K_TILE: tl.constexpr,
):
    n_tiles = tl.cdiv(n, N_TILE)
    rows = (tl.program_id(0) // n_tiles) * M_TILE + tl.arange(0, M_TILE)
    cols = (tl.program_id(0) % n_tiles) * N_TILE + tl.arange(0, N_TILE)
    acc = tl.zeros((M_TILE, N_TILE), tl.float32)
    for start in range(0, k, K_TILE):
        terms = start + tl.arange(0, K_TILE)
        a_mask = (rows < m)[:, None] & (terms < k)[None, :]
        a = tl.load(a_ptr + rows[:, None].to(tl.int64) * a_row + terms[None, :], mask=a_mask, other=0.0)
        b_mask = (terms < k)[:, None] & (cols < n)[None, :]
        b = tl.load(b_ptr + terms[:, None].to(tl.int64) * b_row + cols[None, :] * b_col, mask=b_mask, other=0.0)
        acc = tl.dot(a.to(tl.float32), b.to(tl.float32), acc, input_precision="ieee")
    c_mask = (rows < m)[:, None] & (cols < n)[None, :]
    tl.store(c_ptr + rows[:, None].to(tl.int64) * n + cols[None, :], acc, mask=c_mask)


@triton.jit
def softmax_dropout_kernel(x_ptr, n, p, seed, BLOCK: tl.constexpr, DROP: tl.constexpr):
    """One row, in place."""
    start = tl.program_id(0).to(tl.int64) * n
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + start + cols, mask=cols < n, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    s = e / tl.sum(e, axis=0)
    if DROP:
        kept = tl.rand(seed, start + cols) >= p
        s = tl.where(kept, s / (1.0 - p), 0.0)
    tl.store(x_ptr + start + cols, s, mask=cols < n)


@triton.jit
def residual_norm_kernel(z_ptr, r_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * n
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    z = tl.load(z_ptr + start + cols, mask=mask, other=0.0)
    z += tl.load(r_ptr + start + cols, mask=mask, other=0.0).to(tl.float32)
    difference = tl.where(mask, z - tl.sum(z, axis=0) / n, 0.0)
    variance = tl.sum(difference * difference, axis=0) / n
    tl.store(y_ptr + start + cols, difference / tl.sqrt(variance + eps), mask=mask)


def product(a, b):
    """a (m, k) with contiguous rows times b (k, n), in float32."""
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), dtype=torch.float32, device=a.device)
    m_tile, n_tile = 64, 64
    matmul_kernel[(triton.cdiv(m, m_tile) * triton.cdiv(n, n_tile),)](
        a, b, c, m, n, k, a.stride(0), *b.stride(), M_TILE=m_tile, N_TILE=n_tile, K_TILE=32, num_warps=4
    )
    return c


def warps(block):
    return max(min(block // 256, 8), 1)


def fused_transformer_block(input, weight1, weight2, residual, dropout_p=0.1, eps=1e-05, *, out=None):
    x = input.reshape(-1, input.shape[-1]).contiguous()
    rows, terms, columns = x.shape[0], weight1.shape[1], weight2.shape[1]
    y = torch.empty(input.shape[:-1] + (columns,), dtype=input.dtype, device=input.device)
    if dropout_p < 1:
        s = product(x, weight1)
        seed = torch.randint(0, 2**31 - 1, (1,)).item() if dropout_p > 0 else 0
        block = triton.next_power_of_2(terms)
        softmax_dropout_kernel[(rows,)](
            s, terms, dropout_p, seed, BLOCK=block, DROP=dropout_p > 0, num_warps=warps(block)
        )
        z = product(s, weight2)
    else:
        z = torch.zeros((rows, columns), dtype=torch.float32, device=x.device)
    block = triton.next_power_of_2(columns)
    residual_norm_kernel[(rows,)](
        z, residual.contiguous(), y, columns, eps, BLOCK=block, num_warps=warps(block)
    )
    return y if out is None else out.copy_(y)
