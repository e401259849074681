"""Multiply, add, log-softmax, dropout and batched matrix product in Triton.

The first kernel makes s = dropout(log_softmax(input1 * input2 + other)) in float32, along any dimension, with a running
maximum and a running sum; the second one multiplies s with mat2, a tile of one product a program. The mask belongs to
s: drawn once an element of s, from a counter-based generator with a new seed every call.
"""
import math

import torch
import triton
import triton.language as tl


@triton.jit
def sum_at(x_ptr, mul_ptr, add_ptr, at, mask, factor, addend, MUL: tl.constexpr, ADD: tl.constexpr):
    """input1 * input2 + other; a number where MUL or ADD says that the operand is no tensor."""
    z = tl.load(x_ptr + at, mask=mask, other=0.0).to(tl.float32)
    if MUL:
        z *= tl.load(mul_ptr + at, mask=mask, other=0.0).to(tl.float32)
    else:
        z *= factor
    if ADD:
        z += tl.load(add_ptr + at, mask=mask, other=0.0).to(tl.float32)
    else:
        z += addend
    return z


@triton.jit
def log_softmax_dropout_kernel(
    x_ptr, mul_ptr, add_ptr, s_ptr, n, inner, factor, addend, p, scale, seed,
    MUL: tl.constexpr, ADD: tl.constexpr, DROP: tl.constexpr, N_TILE: tl.constexpr, INNER_TILE: tl.constexpr,
):
    """The operands are seen as (outer, n, inner): a program owns one `outer` and a tile of `inner`."""
    inner_tiles = tl.cdiv(inner, INNER_TILE)
    start = (tl.program_id(0) // inner_tiles).to(tl.int64) * n * inner
    cols = (tl.program_id(0) % inner_tiles) * INNER_TILE + tl.arange(0, INNER_TILE)
    largest = tl.full((INNER_TILE,), -float("inf"), tl.float32)
    total = tl.zeros((INNER_TILE,), tl.float32)
    for first in range(0, n, N_TILE):
        rows = first + tl.arange(0, N_TILE)
        mask = (rows < n)[:, None] & (cols < inner)[None, :]
        at = start + rows[:, None].to(tl.int64) * inner + cols[None, :]
        z = sum_at(x_ptr, mul_ptr, add_ptr, at, mask, factor, addend, MUL, ADD)
        z = tl.where(mask, z, -float("inf"))
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
        z = sum_at(x_ptr, mul_ptr, add_ptr, at, mask, factor, addend, MUL, ADD)
        s = z - largest[None, :] - log_total[None, :]
        if DROP:
            s = tl.where(tl.rand(seed, at.to(tl.int32)) >= p, s * scale, 0.0)
        tl.store(s_ptr + at, s, mask=mask)


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
        acc = tl.dot(a, b.to(tl.float32), acc, input_precision="ieee")
    at = (batch * m + rows[:, None]) * n + cols[None, :]
    c_mask = (rows < m)[:, None] & (cols < n)[None, :]
    tl.store(c_ptr + at, acc, mask=c_mask)


def fused_mul_add_logsoftmax_dropout_bmm(
    input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None
):
    shape, columns = input1.shape, mat2.shape[2]
    result = torch.empty((shape[0], shape[1], columns), dtype=input1.dtype, device=input1.device)
    if result.numel() > 0:
        x = input1.contiguous()
        mul, add = [v.expand(shape).contiguous() if isinstance(v, torch.Tensor) else x for v in (input2, other)]
        factor, addend = [0.0 if isinstance(v, torch.Tensor) else float(v) for v in (input2, other)]
        s = torch.empty(shape, dtype=torch.float32, device=x.device)
        drop = training and p > 0
        seed = int(torch.randint(2**31 - 1, (), device="cpu")) if drop else 0
        scale = 1 / (1 - p) if p < 1 else 0.0
        dim = dim % 3
        length, inner = shape[dim], math.prod(shape[dim + 1:])
        inner_tile = min(triton.next_power_of_2(inner), 64)
        length_tile = min(triton.next_power_of_2(length), 2048 // inner_tile)
        log_softmax_dropout_kernel[(math.prod(shape[:dim]) * triton.cdiv(inner, inner_tile),)](
            x, mul, add, s, length, inner, factor, addend, float(p), scale, seed,
            MUL=isinstance(input2, torch.Tensor), ADD=isinstance(other, torch.Tensor), DROP=drop,
            N_TILE=length_tile, INNER_TILE=inner_tile, num_warps=4,
        )
        m_tile, n_tile, k_tile = 64, 64, 32
        bmm_kernel[(shape[0] * triton.cdiv(shape[1], m_tile) * triton.cdiv(columns, n_tile),)](
            s, mat2, result, shape[1], columns, shape[2], *s.stride(), *mat2.stride(),
            M_TILE=m_tile, N_TILE=n_tile, K_TILE=k_tile, num_warps=4,
        )
    return result if out is None else out.copy_(result)
