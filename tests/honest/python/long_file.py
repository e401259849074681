# task: fused_gather_masked_fill
# style: a long file: kernels of other operators lie about unused, as in a library of kernels
"""A small library of kernels. Only gather_fill is used by the entry; the others are here for other operators."""
import torch
import triton
import triton.language as tl

__all__ = ["fused_gather_masked_fill"]
__version__ = "0.1"
RAW = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


@triton.jit
def unused_exp(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.exp(tl.load(x_ptr + i, mask=i < n)), mask=i < n)


@triton.jit
def unused_add(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=i < n) + tl.load(y_ptr + i, mask=i < n), mask=i < n)


@triton.jit
def unused_softmax(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    k = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * n + k, mask=k < n, other=float("-inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(y_ptr + tl.program_id(0) * n + k, e / tl.sum(e, 0), mask=k < n)


@triton.jit
def unused_transpose(x_ptr, y_ptr, m, n, B: tl.constexpr):
    r, c = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    inside = (r[:, None] < m) & (c[None, :] < n)
    x = tl.load(x_ptr + r[:, None] * n + c[None, :], mask=inside)
    tl.store(y_ptr + c[:, None] * m + r[None, :], tl.trans(x), mask=(c[:, None] < n) & (r[None, :] < m))


def exp(x):
    """Not used by the entry."""
    y = torch.empty_like(x)
    unused_exp[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), BLOCK=512)
    return y


def add(x, y):
    """Not used by the entry."""
    if not x.is_cuda:
        return x + y
    z = torch.empty_like(x)
    unused_add[(triton.cdiv(x.numel(), 512),)](x, y, z, x.numel(), BLOCK=512)
    return z


def softmax(x):
    """Not used by the entry."""
    if x.shape[-1] > 8192:
        return torch.softmax(x, -1)
    y = torch.empty_like(x)
    unused_softmax[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return y


def transpose(x):
    """Not used by the entry."""
    y = torch.empty(x.shape[::-1], dtype=x.dtype, device=x.device)
    unused_transpose[(triton.cdiv(x.shape[0], 32), triton.cdiv(x.shape[1], 32))](x, y, *x.shape, B=32)
    return y


@triton.jit
def place(i, n1, n2, n3, s0, s1, s2, s3, at, DIM: tl.constexpr):
    """Where the element of flat index i lies, with its coordinate along DIM replaced."""
    k3, k2, k1, k0 = i % n3, i // n3 % n2, i // (n3 * n2) % n1, i // (n3 * n2 * n1)
    zero = at * 0
    p = (at if DIM == 0 else zero + k0) * s0
    p += (at if DIM == 1 else zero + k1) * s1
    p += (at if DIM == 2 else zero + k2) * s2
    p += (at if DIM == 3 else zero + k3) * s3
    return p


@triton.jit
def gather_fill(x_ptr, index_ptr, m_ptr, v_ptr, y_ptr, total, n1, n2, n3, x0, x1, x2, x3, DIM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = i < total
    at = tl.load(index_ptr + i, mask=live, other=0)
    masked = tl.load(m_ptr + i, mask=live, other=1) != 0
    x = tl.load(x_ptr + place(i, n1, n2, n3, x0, x1, x2, x3, at, DIM), mask=live & (masked == 0), other=0)
    tl.store(y_ptr + i, tl.where(masked, tl.zeros_like(x) + tl.load(v_ptr), x), mask=live)


def fused_gather_masked_fill(input, dim, index, mask, value, *, sparse_grad=False, out=None):
    y = torch.empty(index.shape, dtype=input.dtype, device=input.device)
    if y.numel() > 0:
        if not isinstance(value, torch.Tensor):
            value = torch.full((), value, dtype=input.dtype, device=input.device)
        value = value.to(input.dtype)
        raw = RAW[input.element_size()]
        pad = 4 - input.dim()
        sizes, strides = [1] * pad + list(index.shape), [0] * pad + list(input.stride())
        x = input if input.is_contiguous() or input.dtype == raw else input
        gather_fill[(triton.cdiv(y.numel(), 256),)](
            x.view(raw), index.contiguous(), mask.expand(index.shape).contiguous(), value.view(raw), y.view(raw), y.numel(), *sizes[1:], *strides,
            DIM=dim % input.dim() + pad, BLOCK=256)
    return y if out is None else out.copy_(y)
