# task: attention
# style: flash attention with exp2 and a running maximum, D padded to a power of two inside of the kernel
import torch
import triton
import triton.language as tl


@triton.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, o_ptr, H, S, T, D, qb, qh, qs, qd, kb, kh, ks, kd, vb, vh, vs, vd, scale,
                     CAUSAL: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BD: tl.constexpr):
    bh = tl.program_id(1)
    b, h = bh // H, bh % H
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, BD)
    q = tl.load(q_ptr + b * qb + h * qh + rows[:, None] * qs + d[None, :] * qd, mask=(rows[:, None] < S) & (d[None, :] < D), other=0.0)
    top = tl.full((BM,), float("-inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, BD), tl.float32)
    for start in range(0, T, BN):
        cols = start + tl.arange(0, BN)
        k = tl.load(k_ptr + b * kb + h * kh + cols[None, :] * ks + d[:, None] * kd, mask=(cols[None, :] < T) & (d[:, None] < D), other=0.0)
        logits = tl.dot(q, k, input_precision="ieee") * scale
        seen = cols[None, :] < T
        if CAUSAL:
            seen = seen & (cols[None, :] <= rows[:, None])
        logits = tl.where(seen, logits, float("-inf"))
        high = tl.maximum(top, tl.max(logits, 1))
        shift = tl.where(high == float("-inf"), 0.0, high)
        p = tl.exp2((logits - shift[:, None]) * 1.4426950408889634)
        fade = tl.exp2((top - shift) * 1.4426950408889634)
        v = tl.load(v_ptr + b * vb + h * vh + cols[:, None] * vs + d[None, :] * vd, mask=(cols[:, None] < T) & (d[None, :] < D), other=0.0)
        total = total * fade + tl.sum(p, 1)
        acc = acc * fade[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        top = high
    tl.store(o_ptr + (bh * S + rows[:, None]) * D + d[None, :], (acc / total[:, None]).to(o_ptr.dtype.element_ty), mask=(rows[:, None] < S) & (d[None, :] < D))


def attention(q, k, v, causal=False, softmax_scale=None, *, out=None):
    (B, H, S, D), T = q.shape, k.shape[2]
    scale = D ** -0.5 if softmax_scale is None else float(softmax_scale)
    o = torch.empty((B, H, S, D), dtype=q.dtype, device=q.device)
    if o.numel() > 0:
        attention_kernel[(triton.cdiv(S, 16), B * H)](q, k, v, o, H, S, T, D, *q.stride(), *k.stride(), *v.stride(), scale,
                                                      CAUSAL=bool(causal), BM=16, BN=32, BD=max(16, triton.next_power_of_2(D)))
    return o if out is None else out.copy_(o)
