"""Generated kernels: reductions and scans.

Sums use small integers, so that every partial result is exact and the order of evaluation cannot matter.
"""

import numpy as np
from expressions import smaller
from kinds import INTEGERS, KINDS, NUMBERS, rounded, sample, to_torch
from tiles import STORE, load2d, pick, tile, written


def total(values, axis, kind):
    """tl.sum: narrow integers are summed as 32-bit ones."""
    want = kind
    if kind.group in "iu" and kind.bits < 32:
        want = KINDS["i32" if kind.group == "i" else "u32"]
    with np.errstate(all="ignore"):
        if kind.group in "iu":
            return values.astype(want.array).sum(axis, dtype=want.array), want
        return rounded(values.astype(np.float64).sum(axis), kind), kind


def extreme(values, axis, least):
    out = np.take(values, 0, axis)
    for i in range(1, values.shape[axis]):
        other = np.take(values, i, axis)
        out = (
            smaller(out, other, least)
            if values.dtype.kind == "f"
            else (np.minimum if least else np.maximum)(out, other)
        )
    return out


def reduction(rng):
    """sum, max, min, xor_sum, argmax, argmin, along an axis or over all."""
    kind, shape, axis = NUMBERS[rng.integers(len(NUMBERS))], tile(rng, 1), int(rng.integers(2))
    name = ["sum", "max", "min", "argmax", "argmin", "xor_sum", "all"][rng.integers(7)]
    if name == "xor_sum":
        kind = INTEGERS[rng.integers(len(INTEGERS))]
    mood = "small" if name in ("sum", "all", "argmax", "argmin") else "wild"
    values = sample(rng, kind, shape, mood)
    if name in ("max", "min") and kind.group == "f":
        values = np.where(values == 0, np.abs(values), values)  # the interpreter takes either zero
    if name == "all":
        want, out = total(values, None, kind)
        body = ["y = tl.sum(%s)" % load2d("x"), "tl.store(out, y)"]
        return written(
            "reduce",
            ["x", "out"],
            body,
            shape,
            {"x": to_torch(values, kind)},
            {"out": (np.array([want]), out, {})},
            name,
        )
    if name == "sum":
        want, out = total(values, axis, kind)
    elif name == "xor_sum":
        want, out = np.bitwise_xor.reduce(values, axis), kind
    elif name.startswith("arg"):
        want, out = getattr(np, name)(values, axis).astype(np.int32), KINDS["i32"]
    else:
        want, out = extreme(values, axis, name == "min"), kind
    body = ["y = tl.%s(%s, %d)" % (name, load2d("x"), axis), STORE[axis]]
    return written("reduce", ["x", "out"], body, shape, {"x": to_torch(values, kind)}, {"out": (want, out, {})}, name)


COMBINE = {
    "product": ("a * b", lambda a, b: a * b),
    "xor": ("a ^ b", lambda a, b: a ^ b),
    "largest_magnitude": ("tl.where(tl.abs(b) > tl.abs(a), b, a)", lambda a, b: np.where(np.abs(b) > np.abs(a), b, a)),
}


def combine_reduction(rng):
    """tl.reduce with a function of ours, and one over a pair of values."""
    shape, axis = tile(rng, 1, 5), int(rng.integers(2))
    if rng.random() < 0.4:
        return pair_reduction(rng, shape, axis)
    kind = pick(rng, "i32", "i64", "u32", "i16")
    name = "product" if kind.group == "u" else ["product", "xor", "largest_magnitude"][rng.integers(3)]
    text, function = COMBINE[name]
    values = sample(rng, kind, shape, "wild" if name != "largest_magnitude" else "tame")
    if name == "largest_magnitude":
        values = values * 2 + (values >= 0)  # no two of one magnitude and opposite signs
    with np.errstate(all="ignore"):
        want = np.take(values, 0, axis)
        for i in range(1, values.shape[axis]):
            want = function(want, np.take(values, i, axis)).astype(kind.array)
    helper = "@triton.jit\ndef combine(a, b):\n    return %s\n\n\n" % text
    body = ["y = tl.reduce(%s, %d, combine)" % (load2d("x"), axis), STORE[axis]]
    return written(
        "combine",
        ["x", "out"],
        body,
        shape,
        {"x": to_torch(values.astype(kind.array), kind)},
        {"out": (want, kind, {})},
        name,
        helper,
    )


def pair_reduction(rng, shape, axis):
    """Sum and product modulo 2^32 side by side. A GPU's tl.reduce takes its function to be commutative (measured)."""
    kind = KINDS["i32"]
    scale, shift = sample(rng, kind, shape, "wild"), sample(rng, kind, shape, "wild")
    helper = "@triton.jit\ndef combine(a, b, c, d):\n    return a * c, b + d\n\n\n"
    body = [
        "y, z = tl.reduce((%s, %s), %d, combine)" % (load2d("x"), load2d("w"), axis),
        STORE[axis],
        STORE[axis].replace("out", "out2").replace("y)", "z)"),
    ]
    a, b = np.take(scale, 0, axis), np.take(shift, 0, axis)
    with np.errstate(all="ignore"):
        for i in range(1, shape[axis]):
            a, b = a * np.take(scale, i, axis), b + np.take(shift, i, axis)
    tensors = {"x": to_torch(scale, kind), "w": to_torch(shift, kind)}
    return written(
        "combine",
        ["x", "w", "out", "out2"],
        body,
        shape,
        tensors,
        {"out": (a, kind, {}), "out2": (b, kind, {})},
        "pair",
        helper,
    )


def scan(rng):
    """cumsum, cumprod, associative_scan with a function of ours; forwards and backwards."""
    shape, axis, back = tile(rng, 1, 5), int(rng.integers(2)), bool(rng.random() < 0.5)
    name = ["cumsum", "cumprod", "affine"][rng.integers(3)]
    store = "tl.store(out + r[:, None] * C + c[None, :], y)"
    if name == "affine":
        kind = KINDS["i32"]
        scale, shift = sample(rng, kind, shape, "wild"), sample(rng, kind, shape, "wild")
        a, b = (np.flip(v, axis).copy() if back else v.copy() for v in (scale, shift))
        a, b = np.moveaxis(a, axis, 0), np.moveaxis(b, axis, 0)
        with np.errstate(all="ignore"):
            for i in range(1, shape[axis]):
                b[i] = b[i - 1] * a[i] + b[i]
                a[i] = a[i - 1] * a[i]
        b = np.moveaxis(b, 0, axis)
        want = np.flip(b, axis) if back else b
        helper = "@triton.jit\ndef combine(a, b, c, d):\n    return a * c, b * c + d\n\n\n"
        body = [
            "_, y = tl.associative_scan((%s, %s), %d, combine, reverse=%s)" % (load2d("x"), load2d("w"), axis, back),
            store,
        ]
        tensors = {"x": to_torch(scale, kind), "w": to_torch(shift, kind)}
        return written("scan", ["x", "w", "out"], body, shape, tensors, {"out": (want, kind, {})}, name, helper)
    kind = pick(rng, "i32", "i64", "u32", "f32", "f64", "f16") if name == "cumsum" else pick(rng, "i32", "i64", "u32")
    values = sample(rng, kind, shape, "small" if kind.group == "f" else "wild")
    run = np.flip(values, axis) if back else values
    with np.errstate(all="ignore"):
        run = (np.cumsum if name == "cumsum" else np.cumprod)(run, axis, dtype=kind.array)
    want = np.flip(run, axis) if back else run
    body = ["y = tl.%s(%s, %d, reverse=%s)" % (name, load2d("x"), axis, back), store]
    return written("scan", ["x", "out"], body, shape, {"x": to_torch(values, kind)}, {"out": (want, kind, {})}, name)


FAMILIES = {"reduce": (reduction, 4), "combine": (combine_reduction, 1), "scan": (scan, 2)}
