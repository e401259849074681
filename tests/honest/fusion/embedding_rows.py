# task: fused_conv2d_add
# style: a broadcast operand read through zero strides of an expanded view, never copied
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, o_ptr, y_ptr, C, H, W, K, OH, OW, KG, CG, R, S, sh, sw, ph, pw, dh, dw, total, o0, o1, o2, o3, alpha, number,
           BIAS: tl.constexpr, OTHER: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = i < total
    ox, oy, k, n = i % OW, i // OW % OH, i // (OW * OH) % K, i // (OW * OH * K)
    acc = tl.zeros((BLOCK,), tl.float32)
    if BIAS:
        acc += tl.load(b_ptr + k, mask=live, other=0.0).to(tl.float32)
    for q in range(CG * R * S):
        c, r, s = q // (R * S), q // S % R, q % S
        iy, ix = oy * sh - ph + r * dh, ox * sw - pw + s * dw
        ok = live & (iy >= 0) & (iy < H) & (ix >= 0) & (ix < W)
        x = tl.load(x_ptr + ((n * C + k // KG * CG + c) * H + iy) * W + ix, mask=ok, other=0.0).to(tl.float32)
        acc += x * tl.load(w_ptr + k * (CG * R * S) + q, mask=live, other=0.0).to(tl.float32)
    if OTHER == 1:
        acc += alpha * number
    elif OTHER == 2:
        acc += alpha * tl.load(o_ptr + n * o0 + k * o1 + oy * o2 + ox * o3, mask=live, other=0.0).to(tl.float32)
    tl.store(y_ptr + i, acc.to(y_ptr.dtype.element_ty), mask=live)


def fused_conv2d_add(input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None):
    both = lambda v: (v, v) if isinstance(v, int) else tuple(v)
    (sh, sw), (ph, pw), (dh, dw) = both(stride), both(padding), both(dilation)
    x, w = input.contiguous(), weight.contiguous()
    (N, C, H, W), (K, CG, R, S) = x.shape, w.shape
    OH, OW = (H + 2 * ph - dh * (R - 1) - 1) // sh + 1, (W + 2 * pw - dw * (S - 1) - 1) // sw + 1
    y = torch.empty((N, K, OH, OW), dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        tensor = isinstance(other, torch.Tensor)
        o = other.expand(y.shape) if tensor else x
        kernel[(triton.cdiv(y.numel(), 128),)](
            x, w, w if bias is None else bias.contiguous(), o, y, C, H, W, K, OH, OW, K // groups, CG, R, S, sh, sw, ph, pw, dh, dw, y.numel(), *o.stride(),
            float(alpha), 0.0 if tensor or other is None else float(other), BIAS=bias is not None, OTHER=2 if tensor else 0 if other is None else 1, BLOCK=128)
    return y if out is None else out.copy_(y)
