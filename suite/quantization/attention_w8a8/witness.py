"""Witness of attention_w8a8: tokens quantized to int8, then attention in one pass with an online softmax."""
import torch
import triton
import triton.language as tl


@triton.jit
def round_even(x):
    """Nearest integer, ties to even, for |x| < 2^22: adding 1.5 * 2^23 pushes the fraction out of the mantissa."""
    return (x + 12582912.0) - 12582912.0


@triton.jit
def quantize_tokens_kernel(
    x_ptr, q_ptr, scale_ptr, tokens, D, stride_batch, stride_token, stride_d,
    BLOCK_T: tl.constexpr, BLOCK_D: tl.constexpr,
):
    """BLOCK_T tokens of one batch: one scale each, integers into the dense q (batch, token, D)."""
    batch = tl.program_id(1).to(tl.int64)
    token = tl.program_id(0) * BLOCK_T + tl.arange(0, BLOCK_T)
    d = tl.arange(0, BLOCK_D)
    mask = (token[:, None] < tokens) & (d[None, :] < D)
    x_ptrs = x_ptr + batch * stride_batch + token[:, None].to(tl.int64) * stride_token + d[None, :] * stride_d
    x = tl.load(x_ptrs, mask=mask, other=0.0)
    scale = tl.max(tl.abs(x), axis=1) / 127.0
    divisor = tl.where(scale > 0, scale, 1.0)  # a token of zeros stays zeros
    q = tl.clamp(round_even(x / divisor[:, None]), -127.0, 127.0)
    row = batch * tokens + token
    tl.store(q_ptr + row[:, None] * D + d[None, :], q.to(tl.int8), mask=mask)
    tl.store(scale_ptr + row, scale, mask=token < tokens)


@triton.jit
def attention_kernel(
    q_ptr, k_ptr, v_ptr, q_scale_ptr, k_scale_ptr, v_scale_ptr, out_ptr, S, T, D, log2_scale,
    BLOCK_S: tl.constexpr, BLOCK_T: tl.constexpr, BLOCK_D: tl.constexpr,
):
    """BLOCK_S queries of one batch against all keys. Logits are kept in units of log 2, so that exp2 serves as exp."""
    batch = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * BLOCK_S + tl.arange(0, BLOCK_S)
    cols = tl.arange(0, BLOCK_T)
    d = tl.arange(0, BLOCK_D)
    q_row, k_row = batch * S + rows, batch * T + cols
    q = tl.load(q_ptr + q_row[:, None] * D + d[None, :], mask=(rows[:, None] < S) & (d[None, :] < D), other=0)
    q_scale = tl.load(q_scale_ptr + q_row, mask=rows < S, other=0.0) * log2_scale
    largest = tl.full((BLOCK_S,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK_S,), tl.float32)
    acc = tl.zeros((BLOCK_S, BLOCK_D), tl.float32)
    for start in range(0, T, BLOCK_T):
        inside = start + cols < T
        at = (k_row + start)[:, None] * D + d[None, :]
        mask = inside[:, None] & (d[None, :] < D)
        k = tl.load(k_ptr + at, mask=mask, other=0)
        v = tl.load(v_ptr + at, mask=mask, other=0)
        k_scale = tl.load(k_scale_ptr + k_row + start, mask=inside, other=0.0)
        v_scale = tl.load(v_scale_ptr + k_row + start, mask=inside, other=0.0)
        logits = tl.dot(q, tl.trans(k), out_dtype=tl.int32).to(tl.float32) * q_scale[:, None] * k_scale[None, :]
        logits = tl.where(inside[None, :], logits, -float("inf"))
        new_largest = tl.maximum(largest, tl.max(logits, axis=1))
        p = tl.exp2(logits - new_largest[:, None])
        correction = tl.exp2(largest - new_largest)
        total = total * correction + tl.sum(p, axis=1)
        # The integers of v are exact in TF32; the token's scale goes to its probability.
        acc = acc * correction[:, None]
        acc = tl.dot(p * v_scale[None, :], v.to(tl.float32), acc, input_precision="tf32")
        largest = new_largest
    out_ptrs = out_ptr + q_row[:, None] * D + d[None, :]
    tl.store(out_ptrs, acc / total[:, None], mask=(rows[:, None] < S) & (d[None, :] < D))


def quantize_tokens(x, block_d):
    batches, tokens, D = x.shape
    q = torch.empty((batches, tokens, D), dtype=torch.int8, device=x.device)
    scale = torch.empty((batches, tokens), dtype=torch.float32, device=x.device)
    BLOCK_T = 16
    quantize_tokens_kernel[(triton.cdiv(tokens, BLOCK_T), batches)](
        x, q, scale, tokens, D, *x.stride(), BLOCK_T=BLOCK_T, BLOCK_D=block_d,
    )
    return q, scale


def attention_w8a8(query, key, value):
    (B, S, D), T = query.shape, key.shape[1]
    block_d = max(triton.next_power_of_2(D), 32)
    q, q_scale = quantize_tokens(query, block_d)
    k, k_scale = quantize_tokens(key, block_d)
    v, v_scale = quantize_tokens(value, block_d)
    out = torch.empty((B, S, D), dtype=torch.float32, device=query.device)
    log2_scale = 1.4426950408889634 / D**0.5
    BLOCK_S, BLOCK_T = 64, 64
    attention_kernel[(triton.cdiv(S, BLOCK_S), B)](
        q, k, v, q_scale, k_scale, v_scale, out, S, T, D, log2_scale,
        BLOCK_S=BLOCK_S, BLOCK_T=BLOCK_T, BLOCK_D=block_d, num_warps=4, num_stages=2,
    )
    return out
