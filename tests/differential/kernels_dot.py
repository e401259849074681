"""Generated kernels: matrix products. Operands are small integers, so that sums are exact; `matmul` takes real numbers
and a bound from the sum of absolute values.
"""

import numpy as np
import torch
from case import Case, Expect
from kinds import KINDS, rounded, sample, to_torch
from tiles import pick

DOTS = (  # operands, accumulator, text of the accumulator's type, options
    ("f16", "f32", ""), ("f16", "f16", ", out_dtype=tl.float16"), ("bf16", "f32", ""),
    ("f32", "f32", ', input_precision="ieee"'), ("f32", "f32", ', input_precision="tf32"'),
    ("f32", "f32", ', input_precision="tf32x3"'), ("i8", "i32", ", out_dtype=tl.int32"), ("e4m3", "f32", ""),
    ("e5m2", "f32", ""), ("f64", "f64", ", out_dtype=tl.float64"),
)  # fmt: skip


def dot(rng):
    """One product, with or without an accumulator, operands transposed or not."""
    name, acc, options = DOTS[rng.integers(len(DOTS))]
    kind, out = KINDS[name], KINDS[acc]
    m, n = int(rng.choice([16, 32, 64])), int(rng.choice([16, 32, 64]))
    k = int(rng.choice([32, 64])) if kind.bits == 8 else int(rng.choice([16, 32]))
    a, b = sample(rng, kind, (m, k), "small"), sample(rng, kind, (k, n), "small")
    start, turned = sample(rng, out, (m, n), "small"), bool(rng.random() < 0.4)
    with_start = bool(rng.random() < 0.5)
    exact = a.astype(np.float64) @ b.astype(np.float64) + (start.astype(np.float64) if with_start else 0)
    want = exact.astype(np.int32) if out.group == "i" else rounded(exact, out)
    source = """@triton.jit
def kernel(a, b, d, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    k = tl.arange(0, K)
    x = tl.load(a + m[:, None] * K + k[None, :])
"""
    source += (
        "    y = tl.trans(tl.load(b + n[:, None] * K + k[None, :]))\n"
        if turned
        else "    y = tl.load(b + k[:, None] * N + n[None, :])\n"
    )
    source += "    s = tl.load(d + m[:, None] * N + n[None, :])\n"
    source += "    z = tl.dot(x, y%s%s)\n" % (", acc=s" if with_start else "", options)
    source += "    tl.store(out + m[:, None] * N + n[None, :], z)\n"
    args = {"a": to_torch(a, kind), "b": to_torch(b.T.copy() if turned else b, kind), "d": to_torch(start, out)}
    expect = to_torch(want, out)
    args["out"] = torch.zeros_like(expect)
    return Case("dot", source, (1,), args, {"M": m, "N": n, "K": k}, {"out": Expect(expect)}, name + options)


def batched_dot(rng):
    """tl.dot of three dimensions: a product for each of the first."""
    kind, batch = pick(rng, "f16", "bf16", "f32", "i8"), int(2 ** rng.integers(0, 3))
    m, n, k = (int(rng.choice([16, 32])) for _ in range(3))
    k = 32 if kind.bits == 8 else k
    a, b = sample(rng, kind, (batch, m, k), "small"), sample(rng, kind, (batch, k, n), "small")
    out = KINDS["i32" if kind.bits == 8 else "f32"]
    source = (
        """@triton.jit
def kernel(a, b, out, Z: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    z = tl.arange(0, Z)[:, None, None]
    m = tl.arange(0, M)[None, :, None]
    n = tl.arange(0, N)[None, None, :]
    x = tl.load(a + z * M * K + m * K + tl.arange(0, K)[None, None, :])
    y = tl.load(b + z * K * N + tl.arange(0, K)[None, :, None] * N + n)
    tl.store(out + z * M * N + m * N + n, tl.dot(x, y, out_dtype=%s))
"""
        % out.triton
    )
    exact = a.astype(np.float64) @ b.astype(np.float64)
    want = to_torch(exact.astype(out.array), out)
    args = {"a": to_torch(a, kind), "b": to_torch(b, kind), "out": torch.zeros_like(want)}
    return Case("dot3", source, (1,), args, {"Z": batch, "M": m, "N": n, "K": k}, {"out": Expect(want)}, kind.name)


def matmul(rng):
    """Tiles, a loop over K, ragged edges, real numbers: bounded by the sum of absolute values."""
    kind = pick(rng, "f16", "bf16", "f32", "f64")
    m, n, k = (int(v) for v in rng.integers(5, 60, 3))
    a, b = sample(rng, kind, (m, k)), sample(rng, kind, (k, n))
    acc = "tl.float64" if kind.name == "f64" else "tl.float32"
    source = """@triton.jit
def kernel(a, b, out, M, N, K, sa, sb, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=%s)
    for i in range(0, tl.cdiv(K, BK)):
        j = i * BK + k
        x = tl.load(a + m[:, None] * sa + j[None, :], mask=(m[:, None] < M) & (j[None, :] < K), other=0.0)
        y = tl.load(b + j[:, None] * sb + n[None, :], mask=(j[:, None] < K) & (n[None, :] < N), other=0.0)
        acc += tl.dot(x, y, input_precision="ieee", out_dtype=%s)
    tl.store(out + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))
""" % (acc, acc)
    out = KINDS["f64" if kind.name == "f64" else "f32"]
    want = a.astype(np.float64) @ b.astype(np.float64)
    most = float((np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64))).max())
    slack = most * k * (2.0**-53 if out.name == "f64" else 2.0**-23)
    tiles = {"BM": int(rng.choice([16, 32])), "BN": int(rng.choice([16, 32])), "BK": int(rng.choice([16, 32]))}
    grid = (-(-m // tiles["BM"]), -(-n // tiles["BN"]))
    args = {
        "a": to_torch(a, kind),
        "b": to_torch(b, kind),
        "out": torch.zeros(m, n, dtype=out.torch),
        "M": m,
        "N": n,
        "K": k,
        "sa": k,
        "sb": n,
    }
    return Case("matmul", source, grid, args, tiles, {"out": Expect(to_torch(want, out), 2, 2, slack)}, kind.name)


def tf32_operands(rng):
    """A product with the unit matrix shows what becomes of an f32 operand: ten fraction bits, the rest cut off."""
    n, left = int(rng.choice([16, 32])), bool(rng.random() < 0.5)
    values = sample(rng, KINDS["f32"], (n, n))
    bits = values.view(np.uint32).astype(np.uint64)
    want = (bits & 0xFFFFE000).astype(np.uint32).view(np.float32)
    source = """@triton.jit
def kernel(x, unit, out, N: tl.constexpr):
    at = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + at, tl.dot(%s, input_precision="tf32"))
""" % ("tl.load(x + at), tl.load(unit + at)" if left else "tl.load(unit + at), tl.load(x + at)")
    args = {"x": torch.from_numpy(values), "unit": torch.eye(n), "out": torch.zeros(n, n)}
    return Case("tf32", source, (1,), args, {"N": n}, {"out": Expect(torch.from_numpy(want))})


FAMILIES = {"tf32": (tf32_operands, 1), "dot": (dot, 3), "matmul": (matmul, 1), "dot3": (batched_dot, 1)}
