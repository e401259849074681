"""Witness of attention: one pass over the keys with an online softmax.

A program owns a block of queries. It keeps the largest logit so far, the sum of exponentials and the weighted sum of
values; whenever the largest logit grows, both sums are scaled down. Logits never go to memory.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def attention_kernel(
    q_ptr, k_ptr, v_ptr, out_ptr, H, S, T, D, log2_scale,
    stride_qb, stride_qh, stride_qs, stride_qd, stride_kb, stride_kh, stride_kt, stride_kd,
    stride_vb, stride_vh, stride_vt, stride_vd, stride_ob, stride_oh, stride_os, stride_od,
    CAUSAL: tl.constexpr, BLOCK_S: tl.constexpr, BLOCK_T: tl.constexpr, BLOCK_D: tl.constexpr,
):
    """BLOCK_S queries of one head against all keys. Logits are kept in units of log 2, so that exp2 serves as exp."""
    blocks = tl.cdiv(S, BLOCK_S)
    block = blocks - 1 - tl.program_id(0) % blocks  # with a causal mask the last queries have most to do: they start
    head = (tl.program_id(0) // blocks).to(tl.int64)
    batch, head = head // H, head % H

    rows = block * BLOCK_S + tl.arange(0, BLOCK_S)
    cols = tl.arange(0, BLOCK_T)
    d = tl.arange(0, BLOCK_D)
    row, col = rows.to(tl.int64), cols.to(tl.int64)
    q_ptrs = q_ptr + batch * stride_qb + head * stride_qh + row[:, None] * stride_qs + d[None, :] * stride_qd
    k_ptrs = k_ptr + batch * stride_kb + head * stride_kh + col[None, :] * stride_kt + d[:, None] * stride_kd
    v_ptrs = v_ptr + batch * stride_vb + head * stride_vh + col[:, None] * stride_vt + d[None, :] * stride_vd
    q = tl.load(q_ptrs, mask=(rows[:, None] < S) & (d[None, :] < D), other=0.0)
    largest = tl.full((BLOCK_S,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK_S,), tl.float32)
    acc = tl.zeros((BLOCK_S, BLOCK_D), tl.float32)
    end = T
    if CAUSAL:
        end = min(T, (block + 1) * BLOCK_S)
    for start in range(0, end, BLOCK_T):
        inside = start + cols < T
        k = tl.load(k_ptrs, mask=inside[None, :] & (d[:, None] < D), other=0.0)
        logits = tl.dot(q, k, input_precision="ieee") * log2_scale  # no TF32
        visible = inside[None, :]
        if CAUSAL:
            visible = visible & (start + cols[None, :] <= rows[:, None])
        logits = tl.where(visible, logits, -float("inf"))
        new_largest = tl.maximum(largest, tl.max(logits, axis=1))
        p = tl.exp2(logits - new_largest[:, None])
        correction = tl.exp2(largest - new_largest)
        total = total * correction + tl.sum(p, axis=1)
        v = tl.load(v_ptrs, mask=inside[:, None] & (d[None, :] < D), other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc * correction[:, None], input_precision="ieee")
        largest = new_largest
        k_ptrs += BLOCK_T * stride_kt
        v_ptrs += BLOCK_T * stride_vt
    out_ptrs = out_ptr + batch * stride_ob + head * stride_oh + row[:, None] * stride_os + d[None, :] * stride_od
    result = (acc / total[:, None]).to(out_ptr.dtype.element_ty)
    tl.store(out_ptrs, result, mask=(rows[:, None] < S) & (d[None, :] < D))


def attention(q, k, v, causal=False, softmax_scale=None, *, out=None):
    B, H, S, D = q.shape
    T = min(k.shape[2], S) if causal else k.shape[2]  # later keys are seen by no query
    if out is None:
        out = torch.empty((B, H, S, D), dtype=q.dtype, device=q.device)
    scale = D**-0.5 if softmax_scale is None else softmax_scale
    block_d = max(triton.next_power_of_2(D), 16)
    if q.dtype == torch.float32:
        tile = dict(BLOCK_S=64, BLOCK_T=32, num_warps=4, num_stages=2)
    elif block_d <= 64:
        tile = dict(BLOCK_S=128, BLOCK_T=64, num_warps=4, num_stages=3)
    else:
        tile = dict(BLOCK_S=128, BLOCK_T=64, num_warps=8, num_stages=2)
    if out.numel() > 0:
        attention_kernel[(triton.cdiv(S, tile["BLOCK_S"]) * B * H,)](
            q, k, v, out, H, S, T, D, float(scale * 1.4426950408889634),
            *q.stride(), *k.stride(), *v.stride(), *out.stride(), CAUSAL=causal, BLOCK_D=block_d, **tile,
        )
    return out
