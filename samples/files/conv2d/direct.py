"""Direct convolution: a program computes a block of positions of one output plane; strides come from the tensors."""
import torch
import triton
import triton.language as tl


@triton.jit
def conv2d_kernel(
    x_ptr, w_ptr, b_ptr, y_ptr, H, W, K, OH, OW, CG, KG,
    xn, xc, xh, xw, wk, wc, wr, ws,
    SH, SW, PH, PW, DH, DW, R: tl.constexpr, S: tl.constexpr, HAS_BIAS: tl.constexpr, BLOCK: tl.constexpr,
):
    plane = tl.program_id(0)
    n = plane // K
    k = plane % K
    first_channel = (k // KG) * CG
    pos = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = pos < OH * OW
    oy = pos // OW
    ox = pos % OW
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for c in range(0, CG):
        x_plane = x_ptr + n.to(tl.int64) * xn + (first_channel + c) * xc
        for r in range(R):
            iy = oy * SH - PH + r * DH
            for s in range(S):
                ix = ox * SW - PW + s * DW
                ok = inside & (iy >= 0) & (iy < H) & (ix >= 0) & (ix < W)
                x = tl.load(x_plane + iy * xh + ix * xw, mask=ok, other=0.0).to(tl.float32)
                acc += x * tl.load(w_ptr + k * wk + c * wc + r * wr + s * ws).to(tl.float32)
    if HAS_BIAS:
        acc += tl.load(b_ptr + k).to(tl.float32)
    tl.store(y_ptr + plane.to(tl.int64) * OH * OW + pos, acc, mask=inside)


def _pair(v):
    return (v, v) if isinstance(v, int) else tuple(v)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    x = input if input.dim() == 4 else input.unsqueeze(0)
    K, CG, R, S = weight.shape
    SH, SW = _pair(stride)
    DH, DW = _pair(dilation)
    if padding == "same":
        extra_h, extra_w = DH * (R - 1), DW * (S - 1)
        PH, PW = extra_h // 2, extra_w // 2
    else:
        PH, PW = (0, 0) if padding == "valid" else _pair(padding)
        extra_h, extra_w = 2 * PH, 2 * PW
    N, _, H, W = x.shape
    OH = (H + extra_h - DH * (R - 1) - 1) // SH + 1
    OW = (W + extra_w - DW * (S - 1) - 1) // SW + 1
    y = torch.empty((N, K, OH, OW), dtype=x.dtype, device=x.device)
    b = bias.contiguous() if bias is not None else None
    if y.numel():
        BLOCK = 256
        grid = (N * K, triton.cdiv(OH * OW, BLOCK))
        conv2d_kernel[grid](x, weight, b, y, H, W, K, OH, OW, CG, K // groups, *x.stride(), *weight.stride(),
                            SH, SW, PH, PW, DH, DW, R=R, S=S, HAS_BIAS=b is not None, BLOCK=BLOCK)
    return y if input.dim() == 4 else y.squeeze(0)
