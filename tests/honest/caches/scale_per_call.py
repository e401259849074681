# task: matmul_w8a8
# style: scales kept in a buffer that a module remembers, and computed anew in every call
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

_buffers = {}


def scale_buffer(count, device, tag):
    """Memory for scales, remembered between calls; its contents are not."""
    buffer = _buffers.get((tag, device))
    if buffer is None or buffer.numel() < count:
        buffer = _buffers[(tag, device)] = torch.empty((max(count, 256),), dtype=torch.float32, device=device)
    return buffer


@triton.jit
def scale_kernel(x_ptr, s_ptr, count, K, s_outer, s_inner, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    top = tl.zeros((BLOCK,), tl.float32)
    for k in range(0, K, BLOCK):
        ks = k + tl.arange(0, BLOCK)
        top = tl.maximum(top, tl.abs(tl.load(x_ptr + row * s_outer + ks * s_inner, mask=ks < K, other=0.0)))
    tl.store(s_ptr + row, tl.max(top) / 127.0)


@triton.jit
def quantize(x, scale):
    q = libdevice.rint(tl.where(scale > 0, tl.div_rn(x, tl.where(scale > 0, scale, 1.0)), 0.0))
    return tl.minimum(tl.maximum(q, -127.0), 127.0).to(tl.int8)


@triton.jit
def product_kernel(a_ptr, b_ptr, s_ptr, t_ptr, c_ptr, M, N, K, am, ak, bk, bn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    s = tl.load(s_ptr + rows, mask=rows < M, other=0.0)
    t = tl.load(t_ptr + cols, mask=cols < N, other=0.0)
    acc = tl.zeros((BM, BN), tl.int32)
    for k in range(0, K, BK):
        ks = k + tl.arange(0, BK)
        a = tl.load(a_ptr + rows[:, None] * am + ks[None, :] * ak, mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)
        b = tl.load(b_ptr + ks[:, None] * bk + cols[None, :] * bn, mask=(ks[:, None] < K) & (cols[None, :] < N), other=0.0)
        acc = tl.dot(quantize(a, s[:, None]), quantize(b, t[None, :]), acc, out_dtype=tl.int32)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], s[:, None] * t[None, :] * acc.to(tl.float32),
             mask=(rows[:, None] < M) & (cols[None, :] < N))


def matmul_w8a8(input, weight):
    (M, K), N = input.shape, weight.shape[1]
    c = torch.empty((M, N), dtype=torch.float32, device=input.device)
    if c.numel() == 0:
        return c
    s = scale_buffer(M, input.device, "rows")
    t = scale_buffer(N, input.device, "columns")
    scale_kernel[(M,)](input, s, M, K, input.stride(0), input.stride(1), BLOCK=128)
    scale_kernel[(N,)](weight, t, N, K, weight.stride(1), weight.stride(0), BLOCK=128)
    product_kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](
        input, weight, s, t, c, M, N, K, *input.stride(), *weight.stride(), BM=32, BN=32, BK=32)
    return c
