"""Batched matrix product, dropout and GELU in Triton: one kernel, a tile of one product a program.

The mask comes from a counter-based generator: a new seed every call, the element's place in the result as the counter.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def bmm_dropout_gelu_kernel(
    a_ptr, b_ptr, c_ptr, m, n, k, a_batch, a_row, a_col, b_batch, b_row, b_col, p, scale, seed,
    DROP: tl.constexpr, TANH: tl.constexpr, M_TILE: tl.constexpr, N_TILE: tl.constexpr, K_TILE: tl.constexpr,
):
    """c[batch] = gelu(dropout(a[batch] @ b[batch])); c is contiguous, a program computes one tile of it."""
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
    y = acc
    if DROP:
        y = tl.where(tl.rand(seed, at.to(tl.int32)) >= p, y * scale, 0.0)
    if TANH:
        # 0.5 * (1 + tanh(u)) is the logistic function of 2 u; exp may overflow to inf, which gives 0.
        phi = 1.0 / (1.0 + tl.exp(-2.0 * 0.7978845608028654 * (y + 0.044715 * y * y * y)))
    else:
        phi = 0.5 * (1.0 + tl.erf(y * 0.7071067811865476))
    y *= phi
    tl.store(c_ptr + at, y, mask=c_mask)


def fused_bmm_dropout_gelu(
    input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None
):
    (batches, m, k), n = input1.shape, input2.shape[2]
    result = torch.empty((batches, m, n), dtype=input1.dtype, device=input1.device)
    if result.numel() > 0:
        drop = training and p > 0
        seed = int(torch.randint(2**31 - 1, (), device="cpu")) if drop else 0
        scale = 1 / (1 - p) if p < 1 else 0.0
        m_tile, n_tile, k_tile = 64, 64, 32
        bmm_dropout_gelu_kernel[(batches * triton.cdiv(m, m_tile) * triton.cdiv(n, n_tile),)](
            input1, input2, result, m, n, k, *input1.stride(), *input2.stride(), float(p), scale, seed,
            DROP=drop, TANH=approximate == "tanh", M_TILE=m_tile, N_TILE=n_tile, K_TILE=k_tile, num_warps=4,
        )
    return result if out is None else out.copy_(result)
