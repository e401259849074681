"""Small kernels of ours, one or more per family of operations, with what torch says they compute.

Each function below that is marked with @case returns a Case. run_cases.py runs them all against torch;
make_fixtures.py stores some as text for the C++ unit tests.
"""
from dataclasses import dataclass, field

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@dataclass
class Case:
    """One launch: grid, arguments (tensors are changed in place), constexprs, and (tensor, expected, tolerance)."""

    kernel: object
    args: tuple
    expect: list
    grid: tuple = (1,)
    constexprs: dict = field(default_factory=dict)


CASES = {}


def case(make):
    """Registers a case by its function's name."""
    CASES[make.__name__] = make
    return make


@triton.jit
def k_add(x, y, z, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    m = o < n
    tl.store(z + o, tl.load(x + o, mask=m) + tl.load(y + o, mask=m), mask=m)


@case
def add():
    x, y, z = torch.randn(100), torch.randn(100), torch.zeros(100)
    return Case(k_add, (x, y, z, 100), [(z, x + y, 0)], (4,), dict(B=32))


@triton.jit
def k_softmax(x, y, n, B: tl.constexpr):
    o = tl.arange(0, B)
    p = tl.program_id(0)
    m = o < n
    a = tl.load(x + p * n + o, mask=m, other=-float("inf"))
    e = tl.exp(a - tl.max(a, 0))
    tl.store(y + p * n + o, e / tl.sum(e, 0), mask=m)


@case
def softmax():
    x, y = torch.randn(8, 50), torch.zeros(8, 50)
    return Case(k_softmax, (x, y, 50), [(y, x.softmax(1), 1e-6)], (8,), dict(B=64))


@triton.jit
def k_layernorm(x, w, b, y, n, eps, B: tl.constexpr):
    o = tl.arange(0, B)
    p = tl.program_id(0)
    m = o < n
    a = tl.load(x + p * n + o, mask=m, other=0.0)
    d = tl.where(m, a - tl.sum(a, 0) / n, 0.0)
    r = d / tl.sqrt(tl.sum(d * d, 0) / n + eps)
    out = r * tl.load(w + o, mask=m, other=0.0) + tl.load(b + o, mask=m, other=0.0)
    tl.store(y + p * n + o, out, mask=m)


@case
def layernorm():
    x, w, b, y = torch.randn(4, 60), torch.randn(60), torch.randn(60), torch.zeros(4, 60)
    want = torch.nn.functional.layer_norm(x, (60,), w, b)
    return Case(k_layernorm, (x, w, b, y, 60, 1e-5), [(y, want, 1e-5)], (4,), dict(B=64))


@triton.jit
def k_matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    pa = a + m[:, None] * K + k[None, :]
    pb = b + k[:, None] * N + n[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for i in range(0, K, BK):
        va = tl.load(pa, mask=(m[:, None] < M) & ((k[None, :] + i) < K), other=0.0)
        vb = tl.load(pb, mask=((k[:, None] + i) < K) & (n[None, :] < N), other=0.0)
        acc = tl.dot(va, vb, acc)
        pa += BK
        pb += BK * N
    tl.store(c + m[:, None] * N + n[None, :], acc.to(c.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


@case
def matmul():
    a, b, c = torch.randn(40, 24).half(), torch.randn(24, 36).half(), torch.zeros(40, 36).half()
    want = (a.float() @ b.float()).half()
    return Case(k_matmul, (a, b, c, 40, 36, 24), [(c, want, 2e-3)], (2, 2), dict(BM=32, BN=32, BK=16))


def tf32(x):
    """Cuts to 10 fraction bits, as tensor cores read their operands."""
    return (x.view(torch.int32) & -0x2000).view(torch.float32)


@case
def matmul_tf32():
    a, b, c = torch.randn(32, 32), torch.randn(32, 32), torch.zeros(32, 32)
    want = (tf32(a).double() @ tf32(b).double()).float()
    return Case(k_matmul, (a, b, c, 32, 32, 32), [(c, want, 1e-5)], (1, 1), dict(BM=32, BN=32, BK=16))


@triton.jit
def k_dot(x, y, N: tl.constexpr, P: tl.constexpr):
    r = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + r)
    tl.store(y + r, tl.dot(a, a, input_precision=P))


@case
def dot_ieee():
    x, y = torch.randn(16, 16), torch.zeros(16, 16)
    return Case(k_dot, (x, y), [(y, x @ x, 1e-5)], (1,), dict(N=16, P="ieee"))


@case
def dot_tf32x3():
    x, y = torch.randn(16, 16), torch.zeros(16, 16)
    return Case(k_dot, (x, y), [(y, x @ x, 1e-5)], (1,), dict(N=16, P="tf32x3"))


@triton.jit
def k_dot3(x, y, N: tl.constexpr):
    b = tl.arange(0, 2)[:, None, None]
    p = b * N * N + tl.arange(0, N)[None, :, None] * N + tl.arange(0, N)[None, None, :]
    a = tl.load(x + p)
    tl.store(y + p, tl.dot(a, tl.trans(a, 0, 2, 1)))


@case
def dot_batched():
    x, y = torch.randn(2, 16, 16).half(), torch.zeros(2, 16, 16)
    return Case(k_dot3, (x, y), [(y, x.float() @ x.float().transpose(1, 2), 1e-3)], (1,), dict(N=16))


@triton.jit
def k_dot_int(x, y, N: tl.constexpr):
    r = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + r)
    tl.store(y + r, tl.dot(a, a))


@case
def dot_int8():
    x, y = torch.randint(-128, 127, (32, 32)).to(torch.int8), torch.zeros(32, 32).int()
    return Case(k_dot_int, (x, y), [(y, (x.long() @ x.long()).int(), 0)], (1,), dict(N=32))


@triton.jit
def k_dot_fp8(x, y, N: tl.constexpr):
    r = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + r).to(tl.float8e5)
    tl.store(y + r, tl.dot(a, a))


@case
def dot_fp8():
    x, y = torch.randn(32, 32), torch.zeros(32, 32)
    q = x.to(torch.float8_e5m2).float()
    return Case(k_dot_fp8, (x, y), [(y, q @ q, 1e-4)], (1,), dict(N=32))


@triton.jit
def k_fp8(x, y, z, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    tl.store(y + o, a.to(tl.float8e4nv).to(tl.float32))
    tl.store(z + o, a.to(tl.float8e5).to(tl.float32))


@case
def casts_fp8():
    x = torch.cat([torch.randn(256) * 50, torch.randn(256) * 1e-3])
    y, z = torch.zeros(512), torch.zeros(512)
    want = [(y, x.to(torch.float8_e4m3fn).float(), 0), (z, x.to(torch.float8_e5m2).float(), 0)]
    return Case(k_fp8, (x, y, z), want, (1,), dict(B=512))


@triton.jit
def k_poly(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    tl.store(y + o, a * a - a)


@case
def arithmetic_f16():
    x = torch.randn(512).half()
    y = torch.zeros_like(x)
    return Case(k_poly, (x, y), [(y, x * x - x, 0)], (1,), dict(B=512))


@case
def arithmetic_bf16():
    x = torch.randn(512).bfloat16()
    y = torch.zeros_like(x)
    return Case(k_poly, (x, y), [(y, x * x - x, 0)], (1,), dict(B=512))


@triton.jit
def k_f64(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    tl.store(y + o, tl.exp(a) + a / 3)
    tl.store(y + B, tl.sum(a))


@case
def arithmetic_f64():
    x, y = torch.randn(16).double(), torch.zeros(17).double()
    return Case(k_f64, (x, y), [(y, torch.cat([x.exp() + x / 3, x.sum()[None]]), 1e-12)], (1,), dict(B=16))


@triton.jit
def k_int(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    b = tl.load(x + B + o)
    tl.store(y + o, a + b)
    tl.store(y + B + o, a * b)
    tl.store(y + 2 * B + o, (a // b) ^ (a % b))
    tl.store(y + 3 * B + o, (a >> 3) | (b << 2))
    tl.store(y + 4 * B + o, tl.where(a < b, tl.maximum(a, -5), tl.minimum(b, 7)))
    tl.store(y + 5 * B + o, tl.abs(a) & ~b)


@case
def arithmetic_int():
    x = torch.randint(-(2**31), 2**31 - 1, (2, 64)).int()
    x[1, :8] = torch.tensor([1, -1, 2, -2, 3, -3, 7, -7])
    x[1][x[1] == 0] = 1
    a, b = x.long()
    q = torch.div(a, b, rounding_mode="trunc")
    rows = [a + b, a * b, q ^ (a - q * b), (a >> 3) | (b << 2)]
    rows += [torch.where(a < b, a.clamp(min=-5), b.clamp(max=7)), a.abs() & ~b]
    want = torch.stack([((r + 2**31) % 2**32 - 2**31).int() for r in rows])
    y = torch.zeros(6, 64).int()
    return Case(k_int, (x, y), [(y, want, 0)], (1,), dict(B=64))


@triton.jit
def k_unsigned(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    u = a.to(tl.uint32, bitcast=True)
    tl.store(y + o, (u >> 3).to(tl.int64))
    tl.store(y + B + o, (u // 7 % 5).to(tl.int64))
    tl.store(y + 2 * B + o, tl.umulhi(u, u).to(tl.int64))
    tl.store(y + 3 * B + o, (a >> 3).to(tl.int64))


@case
def arithmetic_unsigned():
    x = torch.randint(-(2**31), 2**31 - 1, (64,)).int()
    y = torch.zeros(4, 64).long()
    u = x.long() & 0xFFFFFFFF
    high = torch.tensor([(int(q) * int(q)) >> 32 for q in u])
    return Case(k_unsigned, (x, y), [(y, torch.stack([u >> 3, u // 7 % 5, high, x.long() >> 3]), 0)], (1,), dict(B=64))


@triton.jit
def k_cast(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    tl.store(y + o, a.to(tl.int32))
    tl.store(y + B + o, a.to(tl.int8).to(tl.int32))
    tl.store(y + 2 * B + o, a.to(tl.uint8).to(tl.int32))
    tl.store(y + 3 * B + o, (a > 0).to(tl.int32) + (a != a).to(tl.int32))
    tl.store(y + 4 * B + o, a.to(tl.int32, bitcast=True))
    tl.store(y + 5 * B + o, a.to(tl.float16).to(tl.int16, bitcast=True).to(tl.int32))


@case
def casts():
    x = torch.tensor([0.0, -0.0, 1.5, -1.5, 100.9, -100.9, 1e20, -1e20, float("nan"), float("inf"), 127, 255, 3, 7, 9, 1])
    rows = [
        [0, 0, 1, -1, 100, -100, 2**31 - 1, -(2**31), 0, 2**31 - 1, 127, 255, 3, 7, 9, 1],
        [0, 0, 1, -1, 100, -100, -1, 0, 0, -1, 127, -1, 3, 7, 9, 1],  # i8: 16 bits, then the low half
        [0, 0, 1, 0, 100, 0, 255, 0, 0, 255, 127, 255, 3, 7, 9, 1],
        [0, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1],
    ]
    want = torch.cat([torch.tensor(rows), x.view(torch.int32)[None], x.half().view(torch.int16)[None]]).int()
    y = torch.zeros(6, 16).int()
    return Case(k_cast, (x, y), [(y, want, 0)], (1,), dict(B=16))


@triton.jit
def k_math(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    p = tl.abs(a) + 0.1
    tl.store(y + o, tl.exp(a) + tl.exp2(a))
    tl.store(y + B + o, tl.log(p) + tl.log2(p) + tl.sqrt(p) + tl.rsqrt(p))
    tl.store(y + 2 * B + o, tl.sin(a) + tl.cos(a) + tl.erf(a))
    tl.store(y + 3 * B + o, tl.floor(a) + 10 * tl.ceil(a) + tl.fma(a, a, 1.0))
    tl.store(y + 4 * B + o, tl.clamp(a, -0.5, 0.5) + tl.div_rn(a, 3.0) + tl.sqrt_rn(p))


@case
def math():
    x, y = torch.randn(64), torch.zeros(5, 64)
    d = x.double()
    p = d.abs() + 0.1
    rows = [d.exp() + d.exp2(), p.log() + p.log2() + p.sqrt() + p.rsqrt(), d.sin() + d.cos() + d.erf()]
    rows += [d.floor() + 10 * d.ceil() + d * d + 1, d.clamp(-0.5, 0.5) + d / 3 + p.sqrt()]
    return Case(k_math, (x, y), [(y, torch.stack(rows).float(), 2e-6)], (1,), dict(B=64))


@triton.jit
def k_extern(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    v = libdevice.erfc(a) + libdevice.pow(a, 2.0) + libdevice.log1p(a * a) + libdevice.atan2(a, 1.0)
    tl.store(y + o, v + libdevice.rint(a) + libdevice.tanh(a))
    tl.store(y + B + o, libdevice.isnan(a / a - a / a).to(tl.float32) + libdevice.fmod(a, 0.5))


@case
def libdevice_calls():
    x, y = torch.randn(64), torch.zeros(2, 64)
    v = torch.erfc(x) + x * x + torch.log1p(x * x) + torch.atan2(x, torch.ones(1)) + x.round() + x.tanh()
    return Case(k_extern, (x, y), [(y, torch.stack([v, torch.fmod(x, 0.5)]), 1e-5)], (1,), dict(B=64))


@triton.jit
def k_nan(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    b = tl.load(x + B + o)
    tl.store(y + o, tl.maximum(a, b))
    tl.store(y + B + o, tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL))
    tl.store(y + 2 * B + o, (a < b).to(tl.float32) + 2 * (a != b).to(tl.float32) + 4 * (a >= b).to(tl.float32))


@case
def nan_rules():
    n = float("nan")
    x = torch.tensor([[1, n, n, 2], [n, 2, n, 1.0]])
    y = torch.zeros(3, 4)
    want = torch.tensor([[1, 2, n, 2], [n, n, n, 1], [2, 2, 2, 6]])
    return Case(k_nan, (x, y), [(y, want, 0)], (1,), dict(B=4))


@triton.jit
def k_reduce(x, y, R: tl.constexpr, B: tl.constexpr):
    a = tl.load(x + tl.arange(0, R)[:, None] * B + tl.arange(0, B)[None, :])
    tl.store(y + tl.arange(0, B), tl.sum(a, 0))
    tl.store(y + B + tl.arange(0, R), tl.max(a, 1))
    tl.store(y + B + R + tl.arange(0, R), tl.argmin(a, 1).to(tl.float32))
    tl.store(y + B + 2 * R, tl.min(a))


@case
def reduce():
    x, y = torch.randn(8, 32), torch.zeros(32 + 17)
    want = torch.cat([x.sum(0), x.max(1)[0], x.argmin(1).float(), x.min()[None]])
    return Case(k_reduce, (x, y), [(y, want, 1e-5)], (1,), dict(R=8, B=32))


@triton.jit
def combine_lse(m1, s1, m2, s2):
    m = tl.maximum(m1, m2)
    return m, s1 * tl.exp(m1 - m) + s2 * tl.exp(m2 - m)


@triton.jit
def k_lse(x, y, B: tl.constexpr):
    p = tl.program_id(0)
    a = tl.load(x + p * B + tl.arange(0, B))
    m, s = tl.reduce((a, a * 0 + 1), 0, combine_lse)
    tl.store(y + p, m + tl.log(s))


@case
def reduce_two_values():
    x, y = torch.randn(4, 128), torch.zeros(4)
    return Case(k_lse, (x, y), [(y, x.logsumexp(1), 1e-5)], (4,), dict(B=128))


@triton.jit
def combine_if(a, b):
    if a > b:
        r = a
    else:
        r = b
    return r


@triton.jit
def k_reduce_if(x, y, B: tl.constexpr):
    tl.store(y, tl.reduce(tl.load(x + tl.arange(0, B)), 0, combine_if))


@case
def reduce_with_if():
    x, y = torch.randn(16), torch.zeros(1)
    return Case(k_reduce_if, (x, y), [(y, x.max()[None], 0)], (1,), dict(B=16))


@triton.jit
def k_scan(x, y, R: tl.constexpr, B: tl.constexpr):
    p = tl.arange(0, R)[:, None] * B + tl.arange(0, B)[None, :]
    a = tl.load(x + p)
    tl.store(y + p, tl.cumsum(a, 0))
    tl.store(y + R * B + p, tl.cumprod(a, 1))
    tl.store(y + 2 * R * B + p, tl.cumsum(a, 1, reverse=True))


@case
def scan():
    x, y = torch.randn(4, 16), torch.zeros(3, 4, 16)
    want = torch.stack([x.cumsum(0), x.cumprod(1), x.flip(1).cumsum(1).flip(1)])
    return Case(k_scan, (x, y), [(y, want, 1e-5)], (1,), dict(R=4, B=16))


@triton.jit
def combine_linear(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def k_linear(a, b, y, B: tl.constexpr):
    o = tl.arange(0, B)
    _, h = tl.associative_scan((tl.load(a + o), tl.load(b + o)), 0, combine_linear)
    tl.store(y + o, h)


@case
def scan_two_values():
    a, b, y = torch.rand(32), torch.randn(32), torch.zeros(32)
    want, h = [], 0.0
    for k in range(32):
        h = h * a[k].item() + b[k].item()
        want.append(h)
    return Case(k_linear, (a, b, y), [(y, torch.tensor(want), 1e-5)], (1,), dict(B=32))


@triton.jit
def k_sort(x, y, R: tl.constexpr, B: tl.constexpr):
    p = tl.arange(0, R)[:, None] * B + tl.arange(0, B)[None, :]
    tl.store(y + p, tl.sort(tl.load(x + p), descending=True))


@case
def sort():
    x = torch.randn(4, 64).half()
    y = torch.zeros_like(x)
    return Case(k_sort, (x, y), [(y, x.sort(descending=True)[0], 0)], (1,), dict(R=4, B=64))


@triton.jit
def k_gather(x, i, y, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    tl.store(y + o, tl.gather(a, tl.load(i + o), 0))
    tl.store(y + B + o, tl.flip(a, 0))


@case
def gather():
    x, i, y = torch.randn(16), torch.randperm(16).int(), torch.zeros(32)
    return Case(k_gather, (x, i, y), [(y, torch.cat([x[i.long()], x.flip(0)]), 0)], (1,), dict(B=16))


@triton.jit
def k_histogram(x, y, B: tl.constexpr, N: tl.constexpr):
    tl.store(y + tl.arange(0, N), tl.histogram(tl.load(x + tl.arange(0, B)), N))


@case
def histogram():
    x, y = torch.randint(0, 8, (64,)).int(), torch.zeros(8).int()
    return Case(k_histogram, (x, y), [(y, torch.bincount(x, minlength=8).int(), 0)], (1,), dict(B=64, N=8))


@triton.jit
def k_reshape(x, y, B: tl.constexpr):
    m = tl.reshape(tl.load(x + tl.arange(0, B * B)), (B, B))
    tl.store(y + tl.arange(0, B * B), tl.ravel(tl.trans(m) + tl.permute(m, (1, 0))))


@case
def reshape_trans():
    x, y = torch.randn(64), torch.zeros(64)
    return Case(k_reshape, (x, y), [(y, 2 * x.view(8, 8).t().reshape(-1), 0)], (1,), dict(B=8))


@triton.jit
def k_join(x, y, B: tl.constexpr):
    a = tl.load(x + tl.arange(0, B))
    j = tl.join(tl.join(a, a + 1), tl.join(a + 2, a + 3))
    tl.store(y + tl.arange(0, 4 * B), tl.reshape(j, (4 * B,)))
    u, v = tl.split(tl.reshape(a, (B // 2, 2)))
    tl.store(y + 4 * B + tl.arange(0, B), tl.interleave(v, u))
    tl.store(y + 5 * B + tl.arange(0, 2 * B), tl.cat(a, a * 2, can_reorder=True))


@case
def join_split():
    x, y = torch.arange(8.0), torch.zeros(56)
    j = torch.stack([torch.stack([x, x + 1], 1), torch.stack([x + 2, x + 3], 1)], 2).reshape(-1)
    want = torch.cat([j, torch.tensor([1.0, 0, 3, 2, 5, 4, 7, 6]), x, 2 * x])
    return Case(k_join, (x, y), [(y, want, 0)], (1,), dict(B=8))


@triton.jit
def k_broadcast(x, y, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    b = tl.load(x + tl.arange(0, B))[None, :, None]
    full = tl.broadcast_to(b, (A, B, C))
    p = tl.arange(0, A)[:, None, None] * B * C + tl.arange(0, B)[None, :, None] * C + tl.arange(0, C)[None, None, :]
    tl.store(y + p, full)


@case
def broadcast():
    x, y = torch.randn(4), torch.zeros(2, 4, 8)
    want = x[None, :, None].expand(2, 4, 8).contiguous()
    return Case(k_broadcast, (x, y), [(y, want, 0)], (1,), dict(A=2, B=4, C=8))


@triton.jit
def k_atomics(y, z, w, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.atomic_max(y + o % 2, o)
    tl.atomic_or(y + 2 + o * 0, 1 << (o % 8))
    tl.atomic_xchg(y + 3, 7)
    tl.atomic_min(z + o * 0, o.to(tl.float32) - 5)
    tl.atomic_add(w + tl.program_id(0) % 2, 1.5, sem="relaxed")
    tl.atomic_cas(y + 4, 0, 9)


@case
def atomics():
    y, z, w = torch.zeros(5).int(), torch.zeros(1), torch.zeros(2)
    want = [(y, torch.tensor([14, 15, 255, 7, 9]).int(), 0), (z, torch.tensor([-5.0]), 0)]
    return Case(k_atomics, (y, z, w), [*want, (w, torch.tensor([4.5, 3.0]), 0)], (5,), dict(B=16))


@triton.jit
def k_atomic_half(y, B: tl.constexpr):
    tl.atomic_add(y + tl.arange(0, B) % 2, 0.5)


@case
def atomics_f16():
    y = torch.zeros(2).half()
    return Case(k_atomic_half, (y,), [(y, torch.tensor([12.0, 12.0]).half(), 0)], (3,), dict(B=16))


@triton.jit
def k_wait(flag, y):
    p = tl.program_id(0)
    if p == 0:
        while tl.atomic_add(flag, 0) < 3:
            pass
        tl.store(y, 42.0)
    else:
        tl.atomic_add(flag, 1)


@case
def spin_wait():
    flag, y = torch.zeros(1).int(), torch.zeros(1)
    return Case(k_wait, (flag, y), [(y, torch.tensor([42.0]), 0)], (4,))


@triton.jit
def k_while(y, n):
    i = 0
    s = 0.0
    while i < n:
        s += i * 0.5
        i += 1
    tl.store(y, s)


@case
def while_loop():
    y = torch.zeros(1)
    return Case(k_while, (y, 10), [(y, torch.tensor([22.5]), 0)])


@triton.jit
def k_swap(y, n):
    a = 0
    b = 1
    for _ in range(n):
        a, b = b, a + b
    tl.store(y, a)


@case
def loop_swap():
    y = torch.zeros(1).long()
    return Case(k_swap, (y, 30), [(y, torch.tensor([832040]), 0)])


@triton.jit
def k_if(x, y, n):
    p = tl.program_id(0)
    v = tl.load(x + p)
    if v > 0:
        if p < n:
            r = v * 2
            q = 1
        else:
            r = v * 3
            q = 2
    elif v < -1:
        r = -v
        q = 3
    else:
        r = 0.0
        q = 4
    tl.store(y + 2 * p, r)
    tl.store(y + 2 * p + 1, q)


@case
def nested_if():
    x, y = torch.randn(32), torch.zeros(64)
    want = []
    for p, v in enumerate(x.tolist()):
        want += [v * 2, 1] if v > 0 and p < 10 else [v * 3, 2] if v > 0 else [-v, 3] if v < -1 else [0, 4]
    return Case(k_if, (x, y, 10), [(y, torch.tensor(want), 1e-6)], (32,))


@triton.jit
def k_early(x, y, n):
    p = tl.program_id(0)
    if p >= n:
        return
    if tl.load(x + p) < 0:
        tl.store(y + p, -1.0)
        return
    tl.store(y + p, 1.0)


@case
def early_return():
    x, y = torch.randn(8), torch.zeros(8)
    want = torch.cat([torch.where(x[:5] < 0, -1.0, 1.0), torch.zeros(3)])
    return Case(k_early, (x, y, 5), [(y, want, 0)], (8,))


@triton.jit(noinline=True)
def helper(a, b):
    return a * b + 1, a - b


@triton.jit
def k_call(x, y, B: tl.constexpr):
    for i in range(B):
        a = tl.load(x + i)
        u, v = helper(a, a + 1)
        u2, v2 = helper(u, v)
        tl.store(y + i, u2 + v2)


@case
def noinline_call():
    x, y = torch.randn(16), torch.zeros(16)
    u, v = x * (x + 1) + 1, x - (x + 1)
    return Case(k_call, (x, y), [(y, u * v + 1 + u - v, 1e-6)], (1,), dict(B=16))


@triton.jit
def k_rand(y, s, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.store(y + o, tl.randint(s, o))


def philox(seed, n):
    """tl.randint(seed, 0..n-1): the first word of Philox4x32-10."""
    out = []
    for offset in range(n):
        c, k = [offset, 0, 0, 0], [seed & 0xFFFFFFFF, seed >> 32]
        for _ in range(10):
            a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = [(b >> 32) ^ c[1] ^ k[0], b & 0xFFFFFFFF, (a >> 32) ^ c[3] ^ k[1], a & 0xFFFFFFFF]
            k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
        out.append(c[0] - 2**32 if c[0] >= 2**31 else c[0])
    return torch.tensor(out).int()


@case
def random():
    y = torch.zeros(64).int()
    return Case(k_rand, (y, 1), [(y, philox(1, 64), 0)], (1,), dict(B=64))


@triton.jit
def k_hints(x, y, n, B: tl.constexpr):
    tl.assume(n > 0)
    o = tl.max_contiguous(tl.multiple_of(tl.arange(0, B), 8), 8)
    tl.debug_barrier()
    a = tl.load(x + o, eviction_policy="evict_last", cache_modifier=".cg")
    tl.store(y + o, tl.cdiv(n, 3) + a)
    tl.device_print("a", o)
    tl.device_assert(a < 100, "small")


@case
def hints():
    x, y = torch.randn(16), torch.zeros(16)
    return Case(k_hints, (x, y, 7), [(y, x + 3, 0)], (1,), dict(B=16))


@triton.jit
def k_tuple(xs, y, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.store(y + o, tl.load(xs[0] + o) + tl.load(xs[1] + o) * xs[2])


@case
def tuple_argument():
    a, b, y = torch.randn(8), torch.randn(8), torch.zeros(8)
    return Case(k_tuple, ((a, b, 3.0), y), [(y, a + 3 * b, 0)], (1,), dict(B=8))


@triton.jit
def k_block_pointer(x, y, M, N, B: tl.constexpr):
    p = tl.make_block_ptr(x, (M, N), (N, 1), (0, 0), (B, B), (1, 0))
    q = tl.make_block_ptr(y, (M, N), (N, 1), (0, 0), (B, B), (1, 0))
    for _ in range(0, tl.cdiv(N, B)):
        v = tl.load(p, boundary_check=(0, 1), padding_option="zero")
        tl.store(q, v + 1, boundary_check=(0, 1))
        p = tl.advance(p, (0, B))
        q = tl.advance(q, (0, B))


@case
def block_pointer():
    x, y = torch.randn(10, 40), torch.zeros(10, 40)
    return Case(k_block_pointer, (x, y, 10, 40), [(y, x + 1, 0)], (1,), dict(B=16))


@triton.jit
def k_descriptor(d, e):
    e.store([0, 0], d.load([0, 0]) * 2)


@case
def host_descriptor():
    from triton.tools.tensor_descriptor import TensorDescriptor

    x, y = torch.randn(16, 16), torch.zeros(16, 16)
    args = (TensorDescriptor.from_tensor(x, [16, 16]), TensorDescriptor.from_tensor(y, [16, 16]))
    return Case(k_descriptor, args, [(y, 2 * x, 0)])


# ---- regions with control flow, maps


@triton.jit
def combine_early(a, b):
    if a > b:
        return a
    return b


@triton.jit
def combine_loop(a, b):
    while a < 0:
        a += 3
    return a + b


@triton.jit
def k_region(x, y, R: tl.constexpr, B: tl.constexpr):
    a = tl.load(x + tl.arange(0, R)[:, None] * B + tl.arange(0, B)[None, :])
    tl.store(y + tl.arange(0, R), tl.reduce(a, 1, combine_early))
    tl.store(y + R + tl.arange(0, B), tl.reduce(a, 0, combine_loop))


@case
def reduce_with_branches():
    """A call left in the region (early return), and a loop in it."""
    x, y = torch.randint(1, 99, (4, 8)).int(), torch.zeros(12).int()
    want = torch.cat([x.max(1)[0], x.sum(0)]).int()
    return Case(k_region, (x, y), [(y, want, 0)], (1,), dict(R=4, B=8))


@triton.jit
def k_scan_branch(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.store(y + o, tl.associative_scan(tl.load(x + o), 0, combine_early))


@case
def scan_with_branches():
    x, y = torch.randn(16), torch.zeros(16)
    return Case(k_scan_branch, (x, y), [(y, x.cummax(0)[0], 0)], (1,), dict(B=16))


@triton.jit
def steps_to_one(a, limit):
    n = 0 * a
    while a > limit:
        if a % 2 == 0:
            a = a // 2
        else:
            a = 3 * a + 1
        n += 1
    return n, a


@triton.jit
def larger_pair(a0, a1, b0, b1):
    if a0 > b0:
        r0 = a0
    else:
        r0 = b0
    return r0, a1 * 2 + b1


@triton.jit
def k_map(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    n, last = tl.map_elementwise(steps_to_one, a, o * 0 + 1)
    tl.store(y + o, n + last)


@case
def map_elementwise():
    x, y = torch.randint(1, 99, (64,)).int(), torch.zeros(64).int()

    def steps(a):
        n = 0
        while a > 1:
            a, n = (a // 2 if a % 2 == 0 else 3 * a + 1), n + 1
        return n + 1

    return Case(k_map, (x, y), [(y, torch.tensor([steps(v) for v in x.tolist()]).int(), 0)], (1,), dict(B=64))


@triton.jit
def k_map_pack(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    tl.store(y + o, tl.map_elementwise(larger_pair, a, a * 0 + 5, pack=2)[0])


@case
def map_elementwise_pack():
    x, y = torch.randint(1, 9, (16,)).int(), torch.zeros(16).int()
    want = torch.where(torch.arange(16) % 2 == 0, x.clamp(min=5), x * 2 + 5).int()
    return Case(k_map_pack, (x, y), [(y, want, 0)], (1,), dict(B=16))


@triton.jit
def load_if(p, i):
    if i > 3:
        return 7.0
    return tl.load(p)


@triton.jit
def k_map_load(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.store(y + o, tl.map_elementwise(load_if, x + o, o))


@case
def map_elementwise_load():
    """Lanes that would read outside do not read."""
    x, y = torch.randn(4), torch.zeros(16)
    return Case(k_map_load, (x, y), [(y, torch.cat([x, torch.full((12,), 7.0)]), 0)], (1,), dict(B=16))


# ---- scaled products


def e2m1(codes):
    """The values of 4-bit floats."""
    table = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    return torch.where(codes >= 8, -1.0, 1.0) * table[codes.long() % 8]


@triton.jit
def k_scaled(a, b, sa, sb, y, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, FA: tl.constexpr, FB: tl.constexpr,
             PA: tl.constexpr, PB: tl.constexpr):
    m, n = tl.arange(0, M), tl.arange(0, N)
    va = tl.load(a + m[:, None] * (K // PA) + tl.arange(0, K // PA)[None, :])
    vb = tl.load(b + tl.arange(0, K // PB)[:, None] * N + n[None, :])
    g = tl.arange(0, K // 32)[None, :]
    ra = tl.load(sa + m[:, None] * (K // 32) + g)
    rb = tl.load(sb + n[:, None] * (K // 32) + g)
    d = tl.dot_scaled(va, ra, FA, vb, rb, FB)
    tl.store(y + m[:, None] * N + n[None, :], d)


def scaled_case(fa, fb):
    m, n, k = 32, 32, 64
    sa, sb = (torch.randint(120, 132, (r, k // 32)).to(torch.uint8) for r in (m, n))

    def side(fmt, rows, scale, along):
        power = torch.exp2(scale.float() - 127).repeat_interleave(32, 1)
        if fmt == "e2m1":
            codes = torch.randint(0, 16, (rows, k))
            raw = (codes[:, 0::2] | codes[:, 1::2] << 4).to(torch.uint8)
            value = e2m1(codes)
        else:
            raw = torch.randn(rows, k).to(torch.float8_e4m3fn if fmt == "e4m3" else torch.float8_e5m2)
            value = raw.float()
        raw = raw.view(torch.uint8)
        return (raw if along == 1 else raw.t()).contiguous(), value * power

    a, va = side(fa, m, sa, 1)
    b, vb = side(fb, n, sb, 0)
    y = torch.zeros(m, n)
    options = dict(M=m, N=n, K=k, FA=fa, FB=fb, PA=2 if fa == "e2m1" else 1, PB=2 if fb == "e2m1" else 1)
    return Case(k_scaled, (a, b, sa, sb, y), [(y, (va.double() @ vb.double().t()).float(), 1e-5)], (1,), options)


@case
def dot_scaled_fp4_fp8():
    return scaled_case("e2m1", "e4m3")


@case
def dot_scaled_fp8_fp4():
    return scaled_case("e5m2", "e2m1")


@triton.jit
def k_scaled_bf16(a, b, sb, y, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    va = tl.load(a + m[:, None] * K + k[None, :])
    vb = tl.load(b + k[:, None] * N + n[None, :])
    rb = tl.load(sb + n[:, None] * (K // 32) + tl.arange(0, K // 32)[None, :])
    tl.store(y + m[:, None] * N + n[None, :], tl.dot_scaled(va, None, "bf16", vb, rb, "e4m3"))


@case
def dot_scaled_bf16():
    a, y = torch.randn(32, 64).bfloat16(), torch.zeros(32, 32)
    b = torch.randn(64, 32).to(torch.float8_e4m3fn)
    sb = torch.randint(120, 132, (32, 2)).to(torch.uint8)
    vb = b.float() * torch.exp2(sb.float() - 127).repeat_interleave(32, 1).t()
    args = (a, b.view(torch.uint8), sb, y)
    return Case(k_scaled_bf16, args, [(y, a.float() @ vb, 1e-4)], (1,), dict(M=32, N=32, K=64))


@triton.jit
def k_scaled_rows(a, b, sa, sb, y, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    va = tl.load(a + tl.arange(0, M // 2)[:, None] * K + k[None, :])
    vb = tl.load(b + k[:, None] * (N // 2) + tl.arange(0, N // 2)[None, :])
    g = tl.arange(0, K // 32)[None, :]
    ra = tl.load(sa + m[:, None] * (K // 32) + g)
    rb = tl.load(sb + n[:, None] * (K // 32) + g)
    d = tl.dot_scaled(va, ra, "e2m1", vb, rb, "e2m1", lhs_k_pack=False, rhs_k_pack=False)
    tl.store(y + m[:, None] * N + n[None, :], d)


@case
def dot_scaled_packed_rows():
    """The two values of a byte follow each other along m and n."""
    ca, cb = torch.randint(0, 16, (32, 64)), torch.randint(0, 16, (64, 32))
    sa, sb = (torch.randint(120, 132, (32, 2)).to(torch.uint8) for _ in range(2))
    a = (ca[0::2] | ca[1::2] << 4).to(torch.uint8)
    b = (cb[:, 0::2] | cb[:, 1::2] << 4).to(torch.uint8)
    va, vb = (e2m1(c) * torch.exp2(s.float() - 127).repeat_interleave(32, 1) for c, s in ((ca, sa), (cb.t(), sb)))
    y = torch.zeros(32, 32)
    return Case(k_scaled_rows, (a, b, sa, sb, y), [(y, va @ vb.t(), 1e-5)], (1,), dict(M=32, N=32, K=64))


# ---- casts toward zero, inline assembly


@triton.jit
def k_rtz(x, y, z, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    tl.store(y + o, a.to(tl.float16, fp_downcast_rounding="rtz"))
    tl.store(z + o, a.to(tl.bfloat16, fp_downcast_rounding="rtz"))


@case
def casts_toward_zero():
    x = torch.cat([torch.randn(60) * 1e-5, torch.tensor([65519.0, 1e9, -1e9, float("inf")])])
    y, z = torch.zeros(64).half(), torch.zeros(64).bfloat16()
    near = x.half()
    lower = (near.view(torch.int16) - 1).view(torch.float16)
    want = torch.where(near.float().abs() > x.abs(), lower, near)
    chopped = (x.view(torch.int32) & -65536).view(torch.float32).bfloat16()
    return Case(k_rtz, (x, y, z), [(y, want, 0), (z, chopped, 0)], (1,), dict(B=64))


@triton.jit
def k_asm_f32(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    r = tl.inline_asm_elementwise("rcp.approx.ftz.f32 $0, $1;", "=r,r", [a], tl.float32, True, 1)
    e = tl.inline_asm_elementwise("ex2.approx.f32 $0, $1;", "=f,f", [a], tl.float32, True, 1)
    t = tl.inline_asm_elementwise("tanh.approx.f32 $0, $1;", "=f,f", [a], tl.float32, True, 1)
    q = tl.inline_asm_elementwise("{ .reg .f32 t; mul.f32 t, $1, 0f40000000; // twice\n fma.rn.f32 $0, t, $2, 1.5; }",
                                  "=f,f,f", [a, r], tl.float32, True, 1)
    tl.store(y + o, r)
    tl.store(y + B + o, e)
    tl.store(y + 2 * B + o, t)
    tl.store(y + 3 * B + o, q)


@case
def asm_f32():
    x, y = torch.randn(32) + 3, torch.zeros(4, 32)
    want = torch.stack([1 / x, torch.exp2(x), torch.tanh(x), 2 * x * (1 / x) + 1.5])
    return Case(k_asm_f32, (x, y), [(y, want, 1e-6)], (1,), dict(B=32))


@triton.jit
def k_asm_bits(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    s, d = tl.inline_asm_elementwise("""{
        .reg .pred p;
        .reg .b32 t<2>;
        bfe.u32 t0, $2, 4, 8;
        lop3.b32 t1, $2, t0, 0xff, 0x96;
        setp.lt.s32 p, $2, 0;
        selp.b32 $0, t0, t1, p;
        shl.b32 $1, $2, 3;
        @p add.s32 $1, $1, 1;
        }""", "=r,=r,r", [a], (tl.int32, tl.int32), True, 1)
    tl.store(y + o, s)
    tl.store(y + B + o, d)


@case
def asm_bits():
    x, y = torch.randint(-(2**31), 2**31 - 1, (32,)).int(), torch.zeros(2, 32).int()
    field = x.long() >> 4 & 255
    first = torch.where(x < 0, field, x.long() ^ field ^ 255)
    second = (x.long() << 3) + (x < 0)
    want = torch.stack([((v + 2**31) % 2**32 - 2**31).int() for v in (first, second)])
    return Case(k_asm_bits, (x, y), [(y, want, 0)], (1,), dict(B=32))


@triton.jit
def k_asm_half(x, y, z, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    tl.store(y + o, tl.inline_asm_elementwise("fma.rn.f16x2 $0, $1, $1, $1;", "=r,r", [a], tl.float16, True, 2))
    f = tl.inline_asm_elementwise("cvt.rn.f16x2.f32 $0, $2, $1;", "=r,f,f", [a.to(tl.float32)], tl.float16, True, 2)
    tl.store(z + o, f)


@case
def asm_f16x2():
    x = torch.randn(32).half()
    y, z = torch.zeros_like(x), torch.zeros_like(x)
    want = (x.double() * x.double() + x.double()).half()
    return Case(k_asm_half, (x, y, z), [(y, want, 0), (z, x, 0)], (1,), dict(B=32))


@triton.jit
def k_e4b15(x, y, z, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o).to(tl.float8e4b15, bitcast=True)
    h = a.to(tl.float16)
    tl.store(y + o, h)
    tl.store(z + o, h.to(tl.float8e4b15).to(tl.uint8, bitcast=True))


@case
def casts_e4b15():
    """Every value of the fp8 format with bias 15, up and down by the assembly of Triton's own library."""
    x = torch.arange(256).to(torch.uint8)
    y, z = torch.zeros(256).half(), torch.zeros(256).to(torch.uint8)
    code = x.int() & 127
    value = torch.where(code >= 8, (1 + (code % 8) / 8) * torch.exp2((code // 8).float() - 15), (code % 8) / 8 * 2.0**-14)
    want = torch.where(x >= 128, -value, value).half()
    back = torch.where(code == 127, x - 1, x).to(torch.uint8)
    return Case(k_e4b15, (x, y, z), [(y, want, 0), (z, back, 0)], (1,), dict(B=256))


# ---- descriptors that gather, scatter and reduce (rewritten to pointers by the lowering)


@triton.jit
def k_descriptor_rows(x, y, i, N: tl.constexpr, B: tl.constexpr):
    dx = tl.make_tensor_descriptor(x, [N, N], [N, 1], [1, B])
    dy = tl.make_tensor_descriptor(y, [N, N], [N, 1], [1, B])
    rows = tl.load(i + tl.arange(0, 8))
    v = dx.gather(rows, B)
    dy.scatter(v, rows, 0)
    full = tl.make_tensor_descriptor(y, [N, N], [N, 1], [B, B])
    full.atomic_add([0, B], tl.full((B, B), 1.0, tl.float32))


@case
def descriptor_gather():
    x, y, i = torch.randn(32, 32), torch.zeros(32, 32), torch.randperm(32)[:8].int()
    want = torch.zeros(32, 32)
    want[i.long(), :16] = x[i.long(), 16:]
    want[:16, 16:] += 1
    return Case(k_descriptor_rows, (x, y, i), [(y, want, 0)], (1,), dict(N=32, B=16))
