"""Generated kernels: strided and block pointers, tensor descriptors, masks without `other`, random numbers."""

import numpy as np
import torch
from case import Case, Expect
from kinds import KINDS, NUMBERS, sample, to_torch


def matrix(rng, mood="wild"):
    """A strided matrix in a larger storage: (kind, values, storage, row stride, column stride, offset)."""
    kind = NUMBERS[rng.integers(len(NUMBERS))]
    rows, columns = (int(v) for v in rng.integers(1, 50, 2))
    values = sample(rng, kind, (rows, columns), mood)
    column_step, gap, offset = int(rng.integers(1, 3)), int(rng.integers(0, 5)), int(rng.integers(0, 9))
    row_step = columns * column_step + gap
    store = sample(rng, kind, offset + rows * row_step + 3, "tame")
    at = offset + np.arange(rows)[:, None] * row_step + np.arange(columns)[None, :] * column_step
    store[at] = values
    if rng.random() < 0.3:  # the same memory, rows and columns exchanged
        return kind, values.T.copy(), store, column_step, row_step, offset
    return kind, values, store, row_step, column_step, offset


def strided(rng):
    """A transposing copy by 2-D pointers, some loads without `other` under a mask that the store repeats."""
    kind, values, store, row_step, column_step, offset = matrix(rng)
    rows, columns = values.shape
    other = ["", ", other=%s" % ("0.0" if kind.group == "f" else "0")][rng.integers(2)]
    wide = rng.random() < 0.3
    source = """@triton.jit
def kernel(x, out, R, C, sr, sc, first, A: tl.constexpr, B: tl.constexpr):
    r = tl.program_id(0) * A + tl.arange(0, A)
    c = tl.program_id(1) * B + tl.arange(0, B)
    m = (r < R)[:, None] & (c < C)[None, :]
    p = x + first + r[:, None]%s * sr + c[None, :] * sc
    tl.store(out + c[None, :] * R + r[:, None], tl.load(p, mask=m%s), mask=m)
""" % (".to(tl.int64)" if wide else "", other)
    a, b = int(2 ** rng.integers(2, 6)), int(2 ** rng.integers(2, 6))
    args = {"x": to_torch(store, kind), "out": torch.zeros(columns, rows, dtype=kind.torch), "R": rows, "C": columns,
            "sr": row_step, "sc": column_step, "first": offset}  # fmt: skip
    return Case(
        "strided",
        source,
        (-(-rows // a), -(-columns // b)),
        args,
        {"A": a, "B": b},
        {"out": Expect(to_torch(values.T.copy(), kind))},
    )


def block_pointer(rng):
    """make_block_ptr and advance over a matrix; beyond its edge zeros are read and nothing is written."""
    kind, values, store, row_step, column_step, offset = matrix(rng)
    rows, columns = values.shape
    a, b = int(2 ** rng.integers(2, 5)), int(2 ** rng.integers(2, 5))
    source = """@triton.jit
def kernel(x, out, R, C, sr, sc, first, A: tl.constexpr, B: tl.constexpr):
    p = tl.make_block_ptr(x + first, (R, C), (sr, sc), (tl.program_id(0) * A, 0), (A, B), (1, 0))
    q = tl.make_block_ptr(out, (R, C), (C, 1), (tl.program_id(0) * A, 0), (A, B), (1, 0))
    for i in range(0, C, B):
        v = tl.load(p, boundary_check=(0, 1), padding_option="zero")
        tl.store(q, v, boundary_check=(0, 1))
        p = tl.advance(p, (0, B))
        q = tl.advance(q, (0, B))
"""
    args = {"x": to_torch(store, kind), "out": torch.zeros(rows, columns, dtype=kind.torch), "R": rows, "C": columns,
            "sr": row_step, "sc": column_step, "first": offset}  # fmt: skip
    return Case(
        "block_pointer", source, (-(-rows // a),), args, {"A": a, "B": b}, {"out": Expect(to_torch(values, kind))}
    )


def descriptor(rng):
    """A descriptor made in the kernel: loads beyond the edge give zeros, stores beyond it do nothing."""
    kind = KINDS[("f16", "f32", "bf16", "i32", "u8", "i16")[rng.integers(6)]]
    step = 16 // (kind.bits // 8)  # a row starts at a multiple of 16 bytes
    rows, columns = int(rng.integers(3, 40)), int(rng.integers(1, 6)) * step
    a, b = int(2 ** rng.integers(3, 6)), max(int(2 ** rng.integers(4, 6)), step)
    values = sample(rng, kind, (rows, columns), "wild")
    shift = int(rng.integers(-3, 4))
    source = """@triton.jit
def kernel(x, out, R, C, shift, A: tl.constexpr, B: tl.constexpr, N: tl.constexpr):
    d = tl.make_tensor_descriptor(x, shape=[R, C], strides=[C, 1], block_shape=[A, B])
    v = d.load([tl.program_id(0) * A + shift, tl.program_id(1) * B])
    r = tl.program_id(0) * A + tl.arange(0, A)
    c = tl.program_id(1) * B + tl.arange(0, B)
    tl.store(out + r[:, None] * N + c[None, :], v)
"""
    grid = (-(-rows // a), -(-columns // b))
    wide = grid[1] * b
    want = np.zeros((grid[0] * a, wide), dtype=values.dtype)
    for r in range(want.shape[0]):
        if 0 <= r + shift < rows:
            want[r, :columns] = values[r + shift]
    args = {
        "x": to_torch(values, kind),
        "out": to_torch(np.ones_like(want), kind),
        "R": rows,
        "C": columns,
        "shift": shift,
    }
    return Case(
        "descriptor",
        source,
        grid,
        args,
        {"A": a, "B": b, "N": wide},
        {"out": Expect(to_torch(want, kind))},
        options={"allocator": True},
    )


def philox(counter, seed, rounds=10):
    """Philox4x32 of Salmon et al. (SC 2011) on counters (c, 0, 0, 0)."""
    c = [counter.astype(np.uint64), *(np.zeros(len(counter), dtype=np.uint64) for _ in range(3))]
    k0, k1 = seed & 0xFFFFFFFF, (seed >> 32) & 0xFFFFFFFF
    low = np.uint64(0xFFFFFFFF)
    for _ in range(rounds):
        a, b = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [(b >> np.uint64(32)) ^ c[1] ^ np.uint64(k0), b & low, (a >> np.uint64(32)) ^ c[3] ^ np.uint64(k1), a & low]
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return [v.astype(np.uint32) for v in c]


def random_numbers(rng):
    """tl.randint, tl.rand, tl.randint4x against the paper's generator."""
    n, seed = int(2 ** rng.integers(3, 9)), int(rng.integers(0, 2**40))
    rounds = int(rng.choice([10, 10, 7]))
    offsets = rng.integers(0, 2**31, n).astype(np.int32)
    out = philox(offsets.astype(np.uint32), seed, rounds)
    style = ["randint", "rand", "randint4x"][rng.integers(3)]
    source = (
        "@triton.jit\ndef kernel(x, out, seed, B: tl.constexpr):\n    o = tl.arange(0, B)\n    v = tl.load(x + o)\n"
    )
    if style == "randint4x":
        source += "    _, _, y, _ = tl.randint4x(seed, v, %d)\n    tl.store(out + o, y)\n" % rounds
        want = torch.from_numpy(out[2].view(np.int32))
    elif style == "randint":
        source += "    tl.store(out + o, tl.randint(seed, v, %d))\n" % rounds
        want = torch.from_numpy(out[0].view(np.int32))
    else:
        source += "    tl.store(out + o, tl.rand(seed, v, %d))\n" % rounds
        whole = out[0].view(np.int32)
        whole = np.where(whole < 0, -whole - 1, whole)
        want = torch.from_numpy(whole.astype(np.float32) * np.float32(4.6566127342e-10))
    args = {"x": torch.from_numpy(offsets), "out": torch.zeros(n, dtype=want.dtype), "seed": seed}
    return Case("random", source, (1,), args, {"B": n}, {"out": Expect(want)}, style)


FAMILIES = {
    "strided": (strided, 2),
    "block_pointer": (block_pointer, 1),
    "descriptor": (descriptor, 1),
    "random": (random_numbers, 1),
}
