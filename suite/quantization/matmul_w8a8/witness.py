"""Witness of matmul_w8a8: two quantization passes that leave K-major int8 operands, then a tiled int8 product."""
import torch
import triton
import triton.language as tl


@triton.jit
def round_even(x):
    """Nearest integer, ties to even, for |x| < 2^22: adding 1.5 * 2^23 pushes the fraction out of the mantissa."""
    return (x + 12582912.0) - 12582912.0


@triton.jit
def quantize_kernel(
    x_ptr, q_ptr, scale_ptr, vectors, length, padded, stride_vector, stride_element,
    BLOCK_V: tl.constexpr, BLOCK_L: tl.constexpr,
):
    """Quantizes BLOCK_V vectors of x, each with its own scale, into rows of q (vectors, padded)."""
    vector = tl.program_id(0) * BLOCK_V + tl.arange(0, BLOCK_V)
    element = tl.arange(0, BLOCK_L)
    x_rows = x_ptr + vector[:, None].to(tl.int64) * stride_vector
    q_rows = q_ptr + vector[:, None].to(tl.int64) * padded
    largest = tl.zeros((BLOCK_V,), tl.float32)
    for start in range(0, length, BLOCK_L):
        at = start + element[None, :]
        x = tl.load(x_rows + at * stride_element, mask=(vector[:, None] < vectors) & (at < length), other=0.0)
        largest = tl.maximum(largest, tl.max(tl.abs(x), axis=1))
    scale = largest / 127.0
    tl.store(scale_ptr + vector, scale, mask=vector < vectors)
    divisor = tl.where(scale > 0, scale, 1.0)[:, None]  # a vector of zeros stays zeros
    for start in range(0, padded, BLOCK_L):
        at = start + element[None, :]
        x = tl.load(x_rows + at * stride_element, mask=(vector[:, None] < vectors) & (at < length), other=0.0)
        q = tl.clamp(round_even(x / divisor), -127.0, 127.0)
        tl.store(q_rows + at, q.to(tl.int8), mask=(vector[:, None] < vectors) & (at < padded))


@triton.jit
def int8_matmul_kernel(
    a_ptr, b_ptr, c_ptr, a_scale_ptr, b_scale_ptr, M, N, K,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
):
    """C = (A @ B^T) * scales; A (M, K) and B (N, K) are int8 with contiguous rows, as tensor cores read them."""
    pid = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(M, BLOCK_M), tl.cdiv(N, BLOCK_N)
    group = pid // (GROUP_M * tiles_n)
    group_rows = min(tiles_m - group * GROUP_M, GROUP_M)
    tile_m = group * GROUP_M + (pid % (GROUP_M * tiles_n)) % group_rows
    tile_n = (pid % (GROUP_M * tiles_n)) // group_rows
    rows = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    ks = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + (rows % M)[:, None].to(tl.int64) * K + ks[None, :]
    b_ptrs = b_ptr + (cols % N)[None, :].to(tl.int64) * K + ks[:, None]
    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.int32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_ptrs + k, mask=ks[None, :] < K - k, other=0)
        b = tl.load(b_ptrs + k, mask=ks[:, None] < K - k, other=0)
        acc = tl.dot(a, b, acc, out_dtype=tl.int32)
    a_scale = tl.load(a_scale_ptr + rows, mask=rows < M, other=0.0)
    b_scale = tl.load(b_scale_ptr + cols, mask=cols < N, other=0.0)
    c = acc.to(tl.float32) * a_scale[:, None] * b_scale[None, :]
    c_ptrs = c_ptr + rows[:, None].to(tl.int64) * N + cols[None, :]
    tl.store(c_ptrs, c, mask=(rows[:, None] < M) & (cols[None, :] < N))


def quantize(x, vector_dim):
    """int8 copy of the matrix x with one scale per index of vector_dim, which becomes the rows of the copy."""
    vectors, length = x.shape[vector_dim], x.shape[1 - vector_dim]
    stride_vector, stride_element = x.stride(vector_dim), x.stride(1 - vector_dim)
    # Neighbouring threads should read neighbouring addresses, along whichever dimension these lie.
    block_v, block_l = (4, 512) if stride_element <= stride_vector else (32, 64)
    padded = triton.cdiv(length, 16) * 16  # zeros change no sum, and aligned rows load 16 bytes at once
    q = torch.empty((vectors, padded), dtype=torch.int8, device=x.device)
    scale = torch.empty((vectors,), dtype=torch.float32, device=x.device)
    quantize_kernel[(triton.cdiv(vectors, block_v),)](
        x, q, scale, vectors, length, padded, stride_vector, stride_element, BLOCK_V=block_v, BLOCK_L=block_l,
    )
    return q, scale


def matmul_w8a8(input, weight):
    M, N = input.shape[0], weight.shape[1]
    a, a_scale = quantize(input, vector_dim=0)
    b, b_scale = quantize(weight, vector_dim=1)
    c = torch.empty((M, N), dtype=torch.float32, device=input.device)
    block = 128 if M * N >= 2048 * 2048 else 64
    grid = (triton.cdiv(M, block) * triton.cdiv(N, block),)
    int8_matmul_kernel[grid](
        a, b, c, a_scale, b_scale, M, N, a.shape[1],
        BLOCK_M=block, BLOCK_N=block, BLOCK_K=128, GROUP_M=8, num_warps=block // 16, num_stages=3,
    )
    return c
