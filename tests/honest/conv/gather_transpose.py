# task: conv_transpose2d
# style: the transposed convolution gathers instead of scattering; divisibility tests in masks
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, H, W, K, OH, OW, KG, CG, R, S, sh, sw, ph, pw, dh, dw, total, BIAS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = i < total
    ox, oy, k, n = i % OW, i // OW % OH, i // (OW * OH) % K, i // (OW * OH * K)
    group, kk = k // KG, k % KG
    acc = tl.zeros((BLOCK,), tl.float32)
    if BIAS:
        acc += tl.load(b_ptr + k, mask=live, other=0.0).to(tl.float32)
    for r in range(R):
        for s in range(S):
            ty, tx = oy + ph - r * dh, ox + pw - s * dw
            iy, ix = ty // sh, tx // sw
            ok = live & (ty >= 0) & (tx >= 0) & (iy * sh == ty) & (ix * sw == tx) & (iy < H) & (ix < W)
            for c in range(CG):
                cc = group * CG + c
                x = tl.load(x_ptr + ((n * C + cc) * H + iy) * W + ix, mask=ok, other=0.0).to(tl.float32)
                w = tl.load(w_ptr + ((cc * KG + kk) * R + r) * S + s, mask=ok, other=0.0).to(tl.float32)
                acc += x * w
    tl.store(y_ptr + i, acc.to(y_ptr.dtype.element_ty), mask=live)


def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    sh, sw, ph, pw, qh, qw, dh, dw = (v for a in (stride, padding, output_padding, dilation) for v in ((a, a) if isinstance(a, int) else a))
    x, w = input.contiguous(), weight.contiguous()
    batched = x.dim() == 4
    x = x if batched else x.unsqueeze(0)
    (N, C, H, W), (_, KG, R, S) = x.shape, w.shape
    OH, OW = (H - 1) * sh - 2 * ph + dh * (R - 1) + qh + 1, (W - 1) * sw - 2 * pw + dw * (S - 1) + qw + 1
    y = torch.empty((N, KG * groups, OH, OW), dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        b = w if bias is None else bias.contiguous()
        kernel[(triton.cdiv(y.numel(), 128),)](x, w, b, y, C, H, W, KG * groups, OH, OW, KG, C // groups, R, S, sh, sw, ph, pw, dh, dw,
                                               y.numel(), BIAS=bias is not None, BLOCK=128)
    return y if batched else y.view(y.shape[1:])
