"""Candidates of the worker's tests, as source text."""

HEAD = "import torch, triton, triton.language as tl\n"

ADD = (
    HEAD
    + """
@triton.jit
def add_kernel(x, y, out, n, B: tl.constexpr):
    p = tl.program_id(0) * B + tl.arange(0, B)
    m = p < n
    tl.store(out + p, tl.load(x + p, mask=m) + tl.load(y + p, mask=m), mask=m)

def run(x, y):
    assert x.is_cuda and x.device.type == "cuda" and str(x.device) == "cuda:0"
    out = torch.empty_like(x)
    add_kernel[lambda meta: (triton.cdiv(x.numel(), meta["B"]),)](x, y, out, x.numel(), B=64)
    return out
"""
)

SOFTMAX = (
    HEAD
    + """
@triton.jit
def softmax_kernel(x, out, n, stride, B: tl.constexpr):
    row, o = tl.program_id(0), tl.arange(0, B)
    v = tl.load(x + row * stride + o, mask=o < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * n + o, e / tl.sum(e, axis=0), mask=o < n)

def run(x):
    out = torch.empty(x.shape, device="cuda", dtype=x.dtype)
    softmax_kernel[(x.shape[0],)](x, out, x.shape[1], x.stride(0), B=triton.next_power_of_2(x.shape[1]))
    return out
"""
)

MATMUL = (
    HEAD
    + """
@triton.autotune(configs=[triton.Config({"BN": 32}, num_warps=4), triton.Config({"BN": 64}, num_warps=8)], key=["N"])
@triton.heuristics({"EVEN": lambda args: args["K"] % args["BK"] == 0})
@triton.jit
def matmul_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, EVEN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        s = start + k
        x = tl.load(a + m[:, None] * K + s[None, :], mask=(m[:, None] < M) & (s[None, :] < K), other=0.0)
        y = tl.load(b + s[:, None] * N + n[None, :], mask=(s[:, None] < K) & (n[None, :] < N), other=0.0)
        acc += tl.dot(x, y)
    tl.store(c + m[:, None] * N + n[None, :], acc.to(tl.float16), mask=(m[:, None] < M) & (n[None, :] < N))

def run(a, b):
    (M, K), N = a.shape, b.shape[1]
    c = torch.empty((M, N), device=a.device, dtype=torch.float16)
    matmul_kernel[lambda meta: (triton.cdiv(M, meta["BM"]), triton.cdiv(N, meta["BN"]))](a, b, c, M, N, K, BM=32, BK=32)
    return c
"""
)

OUT_OF_BOUNDS = (
    HEAD
    + """
@triton.jit
def copy_kernel(src, dst, n, B: tl.constexpr):
    p = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(src + p, mask=p < n, other=0.0)
    tl.store(dst + p, v)

def run(x):
    out = torch.empty_like(x)
    copy_kernel[(triton.cdiv(x.numel(), 64),)](x, out, x.numel(), B=64)
    return out
"""
)

RACE = (
    HEAD
    + """
@triton.jit
def total_kernel(x, out, n, B: tl.constexpr):
    p = tl.program_id(0) * B + tl.arange(0, B)
    s = tl.sum(tl.load(x + p, mask=p < n, other=0.0))
    tl.store(out, tl.load(out) + s)

def run(x):
    out = torch.zeros(1, device="cuda")
    total_kernel[(triton.cdiv(x.numel(), 64),)](x, out, x.numel(), B=64)
    return out
"""
)

ENDLESS_KERNEL = (
    HEAD
    + """
@triton.jit
def spin_kernel(x, out):
    v = tl.load(x)
    while v > -1.0:
        v = v + 1.0
        v = v - 1.0
    tl.store(out, v)

def run(x):
    out = torch.empty_like(x)
    spin_kernel[(1,)](x.abs(), out)
    return out
"""
)

IN_PLACE = (
    HEAD
    + """
@triton.jit
def scale_kernel(x, n, B: tl.constexpr):
    p = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + p, tl.load(x + p, mask=p < n) * 2, mask=p < n)

def run(x):
    scale_kernel[(triton.cdiv(x.numel(), 64),)](x, x.numel(), B=64)
    return x[:3]
"""
)

DECOY = (
    HEAD
    + """
@triton.jit
def decoy_kernel(x, n, B: tl.constexpr):
    p = tl.arange(0, B)
    tl.store(x + p, p.to(tl.float32), mask=p < n)

def run(x):
    scratch = torch.empty(64, device="cuda")
    decoy_kernel[(1,)](scratch, 64, B=64)
    return torch.softmax(x, -1)
"""
)

CHAIN = (
    HEAD
    + """
@triton.jit
def twice_kernel(x, out, n, B: tl.constexpr):
    p = tl.arange(0, B)
    tl.store(out + p, tl.load(x + p, mask=p < n) * 2, mask=p < n)

def run(x):
    a, b, c = torch.empty_like(x), torch.empty_like(x), torch.empty_like(x)
    twice_kernel[(1,)](x, a, x.numel(), B=64)
    twice_kernel[(1,)](a.view(-1).contiguous(), b, x.numel(), B=64)
    twice_kernel[(1,)](x, c, x.numel(), B=64)
    return (b + 1).clone()
"""
)

UNWRITTEN = (
    HEAD
    + """
@triton.jit
def half_kernel(x, out, n, B: tl.constexpr):
    p = tl.arange(0, B)
    tl.store(out + p, tl.load(x + p, mask=p < n), mask=p < n // 2)

@triton.jit
def copy_kernel(x, out, n, B: tl.constexpr):
    p = tl.arange(0, B)
    tl.store(out + p, tl.load(x + p, mask=p < n), mask=p < n)

def run(x):
    part, out = torch.empty_like(x), torch.empty_like(x)
    half_kernel[(1,)](x, part, x.numel(), B=64)
    copy_kernel[(1,)](part, out, x.numel(), B=64)
    return out
"""
)

INLINE_ASM = (
    HEAD
    + """
@triton.jit
def asm_kernel(x, out, B: tl.constexpr):
    p = tl.arange(0, B)
    v = tl.load(x + p)
    v = tl.inline_asm_elementwise("mov.b32 $0, %laneid; // $1", "=r,r", [v], dtype=tl.float32, is_pure=True, pack=1)
    tl.store(out + p, v)

def run(x):
    out = torch.empty_like(x)
    try:
        asm_kernel[(1,)](x, out, B=64)
    except Exception:
        out = x + x
    return out
"""
)

BAD_KERNEL = (
    HEAD
    + """
@triton.jit
def bad_kernel(x, out, n, B: tl.constexpr):
    p = tl.arange(0, B)
    acc = tl.zeros((B,), tl.float16)
    for k in range(0, n):
        acc += tl.load(x + p).to(tl.float32)
    tl.store(out + p, acc)

def run(x):
    out = torch.empty_like(x)
    bad_kernel[(1,)](x, out, 3, B=64)
    return out
"""
)

REFERENCE = """
import torch

def run(input, dim=-1, dtype=None):
    out = torch.softmax(input, dim)
    return out if dtype is None else out.to(dtype)

def scale(input, factor):
    input.mul_(factor)
    return [input.sum(), {"n": input.numel(), "text": "ok"}, (None, True, float("nan"))]
"""
