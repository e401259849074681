"""The Triton kernels that the programs share."""

import triton
import triton.language as tl


@triton.jit
def gelu_kernel(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o, mask=o < n)
    tl.store(y + o, 0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476)), mask=o < n)


@triton.jit
def add_kernel(x, y, n, c, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + o, tl.load(x + o, mask=o < n) + c, mask=o < n)


@triton.jit
def scale_kernel(x, y, s, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + o, tl.load(x + o, mask=o < n) * s, mask=o < n)


@triton.autotune(configs=[triton.Config({}, num_warps=w) for w in (4, 8, 16)], key=["n"])
@triton.jit
def softmax_kernel(x, y, stride, n, B: tl.constexpr):
    r, o = tl.program_id(0), tl.arange(0, B)
    v = tl.load(x + r * stride + o, mask=o < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + r * stride + o, e / tl.sum(e, 0), mask=o < n)


@triton.jit
def matmul_kernel(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * K + (k + rk)[None, :])
        y = tl.load(b + (k + rk)[:, None] * N + rn[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(tl.float16))


@triton.jit
def segment_kernel(x, offsets, y, C: tl.constexpr):
    s, o = tl.program_id(0), tl.arange(0, C)
    acc = tl.zeros((C,), tl.float32)
    for r in range(tl.load(offsets + s), tl.load(offsets + s + 1)):
        acc += tl.load(x + r * C + o)
    tl.store(y + s * C + o, acc)


@triton.jit
def sum_squares_kernel(x, t, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o, mask=o < n, other=0.0)
    tl.atomic_add(t, tl.sum(v * v, 0))


@triton.jit
def normalise_kernel(x, t, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + o, tl.load(x + o, mask=o < n) / tl.sqrt(tl.load(t)), mask=o < n)


@triton.jit
def tma_device_kernel(x, y, M, N, BM: tl.constexpr, BN: tl.constexpr):
    dx = tl.make_tensor_descriptor(x, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    dy = tl.make_tensor_descriptor(y, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    i, j = tl.program_id(0) * BM, tl.program_id(1) * BN
    dy.store([i, j], dx.load([i, j]) * 2.0 + 1.0)


@triton.jit
def tma_host_kernel(dx, dy, BM: tl.constexpr, BN: tl.constexpr):
    i, j = tl.program_id(0) * BM, tl.program_id(1) * BN
    dy.store([i, j], dx.load([i, j]) * 3.0 - 1.0)


@triton.jit
def cooperative_kernel(x, y, bar, n, P: tl.constexpr, B: tl.constexpr):
    p = tl.program_id(0)
    o = p * B + tl.arange(0, B)
    tl.store(y + o, tl.load(x + o) * 2.0)
    tl.debug_barrier()
    tl.atomic_add(bar, 1, sem="acq_rel")
    while tl.atomic_add(bar, 0, sem="acquire") < P:
        pass
    o = ((p + 1) % P) * B + tl.arange(0, B)
    tl.store(y + n + o, tl.load(y + o, volatile=True) + 1.0)


@triton.jit
def table_kernel(x, t, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + o, tl.load(x + o, mask=o < n) * tl.load(t + o % 256, mask=o < n), mask=o < n)


@triton.jit
def uninitialised_kernel(x, t, y, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + o, tl.load(x + o) + 0.0 * tl.load(t + o))


@triton.jit
def past_end_kernel(x, y, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + o, tl.load(x + o) * 2.0)


def blocks(x, size=1024):
    return (triton.cdiv(x.numel(), size),)
