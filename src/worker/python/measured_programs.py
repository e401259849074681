"""Programs of kbx's own that are recorded and played to measure a card and the clock itself (docs/clock.md).

No worker imports this file: it is the source of a child, as a candidate's is.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def gelu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    x = tl.load(x_ptr + at, mask=inside)
    tl.store(y_ptr + at, 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476)), mask=inside)


@triton.jit
def steps_kernel(x_ptr, y_ptr, n, STEPS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    x = tl.load(x_ptr + at, mask=inside)
    for _ in range(STEPS):
        x = x * 0.999 + 0.001
    tl.store(y_ptr + at, x, mask=inside)


@triton.jit
def product_kernel(a_ptr, b_ptr, c_ptr, size, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    """Square matrices whose side the blocks divide."""
    program, down, across = tl.program_id(0), size // BM, size // BN
    group = program // (GROUP * across)
    first = group * GROUP
    rows = min(down - first, GROUP)
    row, column = first + program % rows, (program % (GROUP * across)) // rows
    m = row * BM + tl.arange(0, BM)
    n = column * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    a, b = a_ptr + m[:, None] * size + k[None, :], b_ptr + k[:, None] * size + n[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, size, BK):
        total = tl.dot(tl.load(a), tl.load(b), total)
        a += BK
        b += BK * size
    tl.store(c_ptr + m[:, None] * size + n[None, :], total.to(tl.float16))


def gelu(x, n):
    """Of the first n elements."""
    y = torch.empty_like(x)
    gelu_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


def steps(x, count):
    y, n = torch.empty_like(x), x.numel()
    steps_kernel[(triton.cdiv(n, 1024),)](x, y, n, STEPS=count, BLOCK=1024)
    return y


def launches(x, count):
    """Small launches one behind the other."""
    y, n = torch.empty_like(x), x.numel()
    for k in range(count):
        steps_kernel[(triton.cdiv(n, 1024),)](y if k else x, y, n, STEPS=1, BLOCK=1024)
    return y


def product(a, b):
    size, c = a.shape[0], torch.empty_like(a)
    grid = ((size // 128) * (size // 128),)
    product_kernel[grid](a, b, c, size, BM=128, BN=128, BK=64, GROUP=8, num_warps=4, num_stages=3)
    return c


def torch_gelu(x):
    return torch.nn.functional.gelu(x)


def matmul(a, b):
    torch.backends.cuda.matmul.allow_tf32 = False
    return torch.matmul(a, b)


def matmul_tf32(a, b):
    torch.backends.cuda.matmul.allow_tf32 = True
    return torch.matmul(a, b)


def matmul_f8(a, b, one):
    return torch._scaled_mm(a, b.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16, use_fast_accum=True)


def matmul_i8(a, b):
    return torch._int_mm(a, b.t())
