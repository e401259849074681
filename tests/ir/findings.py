"""Small kernels of ours that do one wrong thing each; make_fixtures.py stores their text for the C++ unit tests."""
import torch
import triton
import triton.language as tl


@triton.jit
def k_no_mask(x, y, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o)
    tl.store(y + o, v)


@triton.jit
def k_masked_no_other(x, y, n, B: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.load(x + o, mask=o < n)
    tl.store(y + o, v + 1)


@triton.jit
def k_masked_but_unused(x, y, n, B: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.load(x + o, mask=o < n)
    tl.store(y + o, v + 1, mask=o < n)
    tl.store(y + B + o, tl.where(o < n, v, 0.0))


@triton.jit
def k_undefined_decides(x, i, y, n, B: tl.constexpr):
    o = tl.arange(0, B)
    at = tl.load(i + o, mask=o < n)
    v = tl.load(x + at)
    tl.store(y + o, v, mask=at > 0)
    if tl.sum(at, 0) > 0:
        tl.store(y, 1.0)


@triton.jit
def k_lost_update(y):
    tl.store(y, tl.load(y) + 1.0)


@triton.jit
def k_stencil(x, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    left = tl.load(x + o - 1, mask=o > 0, other=0.0)
    tl.store(x + o, left + 1.0, mask=o < n)


@triton.jit
def k_store_store(y, B: tl.constexpr):
    tl.store(y + tl.arange(0, B), tl.program_id(0).to(tl.float32) + 1.0)


@triton.jit
def k_same_store(y, B: tl.constexpr):
    tl.store(y + tl.arange(0, B), 3.0)


@triton.jit
def k_atomic_then_read(s, y):
    tl.atomic_add(s, 1.0)
    tl.store(y + tl.program_id(0), tl.load(s))


@triton.jit
def k_double_store(y, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.store(y + o // 2, o)


@triton.jit
def k_endless(flag, y):
    i = 0
    while tl.load(flag + i * 0) == 0:
        i += 1
    tl.store(y, i)


@triton.jit
def k_assert(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.load(x + o)
    tl.device_assert(v > 0, "positive")
    tl.store(y + o, v)


@triton.jit
def k_gather_far(x, i, y, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.store(y + o, tl.gather(tl.load(x + o), tl.load(i + o), 0))


@triton.jit
def k_misaligned(x, y, B: tl.constexpr):
    p = x.to(tl.pointer_type(tl.int8), bitcast=True) + 2
    q = p.to(tl.pointer_type(tl.int32), bitcast=True)
    tl.atomic_add(q, 1)
    tl.store(y, tl.load(q))


@triton.jit
def k_provenance(x, y, shift):
    tl.store(y, tl.load(x + shift))


@triton.jit
def k_divide(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    b = tl.load(x + B + o)
    tl.store(y + o, a // b)
    tl.store(y + B + o, a % b)


@triton.jit
def k_table(table, y, B: tl.constexpr):
    p = tl.load(table + tl.program_id(0)).to(tl.pointer_type(tl.float32))
    o = tl.arange(0, B)
    tl.store(y + tl.program_id(0) * B + o, tl.load(p + o))


@triton.jit
def k_asm(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.inline_asm_elementwise("mov.b32 $0, %laneid; // $1", "=r,r", [tl.load(x + o)], tl.float32, True, 1)
    tl.store(y + o, v)


def kernels():
    """name -> (kernel, arguments, constexprs); only the types of the arguments matter."""
    f, i, q = torch.zeros(64), torch.zeros(64).int(), torch.zeros(64).long()
    return {
        "no_mask": (k_no_mask, (f, f), dict(B=16)),
        "masked_no_other": (k_masked_no_other, (f, f, 5), dict(B=16)),
        "masked_but_unused": (k_masked_but_unused, (f, f, 5), dict(B=16)),
        "undefined_decides": (k_undefined_decides, (f, i, f, 5), dict(B=16)),
        "lost_update": (k_lost_update, (f,), {}),
        "stencil": (k_stencil, (f, 5), dict(B=16)),
        "store_store": (k_store_store, (f,), dict(B=16)),
        "same_store": (k_same_store, (f,), dict(B=16)),
        "atomic_then_read": (k_atomic_then_read, (f, f), {}),
        "double_store": (k_double_store, (i,), dict(B=16)),
        "endless": (k_endless, (i, i), {}),
        "assert": (k_assert, (f, f), dict(B=16, debug=True)),
        "gather_far": (k_gather_far, (f, i, f), dict(B=16)),
        "misaligned": (k_misaligned, (i, i), dict(B=16)),
        "provenance": (k_provenance, (f, f, 5), {}),
        "divide": (k_divide, (i, i), dict(B=16)),
        "table": (k_table, (q, f), dict(B=16)),
        "asm": (k_asm, (f, f), dict(B=16)),
    }
