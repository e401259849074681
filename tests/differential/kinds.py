"""Element types of generated kernels: names, numpy forms and the rounding of the hardware.

bf16 and fp8 values are float32 arrays that hold representable values only; all other kinds are numpy's own.
"""

from dataclasses import dataclass

import numpy as np
import torch


@dataclass(frozen=True)
class Kind:
    name: str
    triton: str
    group: str  # "i" signed, "u" unsigned, "f" float, "b" bool
    bits: int
    array: type
    torch: torch.dtype


KINDS = {
    kind.name: kind
    for kind in (
        Kind("i8", "tl.int8", "i", 8, np.int8, torch.int8),
        Kind("i16", "tl.int16", "i", 16, np.int16, torch.int16),
        Kind("i32", "tl.int32", "i", 32, np.int32, torch.int32),
        Kind("i64", "tl.int64", "i", 64, np.int64, torch.int64),
        Kind("u8", "tl.uint8", "u", 8, np.uint8, torch.uint8),
        Kind("u16", "tl.uint16", "u", 16, np.uint16, torch.uint16),
        Kind("u32", "tl.uint32", "u", 32, np.uint32, torch.uint32),
        Kind("u64", "tl.uint64", "u", 64, np.uint64, torch.uint64),
        Kind("f16", "tl.float16", "f", 16, np.float16, torch.float16),
        Kind("bf16", "tl.bfloat16", "f", 16, np.float32, torch.bfloat16),
        Kind("f32", "tl.float32", "f", 32, np.float32, torch.float32),
        Kind("f64", "tl.float64", "f", 64, np.float64, torch.float64),
        Kind("e4m3", "tl.float8e4nv", "8", 8, np.float32, torch.float8_e4m3fn),
        Kind("e5m2", "tl.float8e5", "8", 8, np.float32, torch.float8_e5m2),
        Kind("bool", "tl.int1", "b", 1, np.bool_, torch.bool),
    )
}
INTEGERS = [k for k in KINDS.values() if k.group in "iu"]
SIGNED = [k for k in KINDS.values() if k.group == "i"]
FLOATS = [k for k in KINDS.values() if k.group == "f"]
NUMBERS = INTEGERS + FLOATS
LARGEST = {"e4m3": 448.0, "e5m2": 57344.0}


def to_odd(exact, narrow, residue):
    """`narrow` with its last bit set where something was cut off (`residue` = exact - narrow in sign): a later rounding
    then sees on which side of a tie the exact value lies (Boldo and Melquiond, 2008)."""
    integers = narrow.view("i%d" % narrow.itemsize)
    away = (residue > 0) == (narrow > 0)
    even = (integers & 1) == 0
    step = np.where(away, 1, -1).astype(integers.dtype)
    fix = (residue != 0) & even & np.isfinite(narrow) & (narrow != 0)
    return np.where(fix, integers + step, integers).view(narrow.dtype)


def to_bf16(values):
    """The nearest bf16, even on ties, of float32 or wider, rounded once."""
    wide = np.asarray(values)
    values = wide.astype(np.float32)
    if wide.dtype == np.float64:
        values = to_odd(wide, values, np.where(np.isfinite(values), wide - values.astype(np.float64), 0.0))
    bits = values.view(np.uint32).astype(np.uint64)
    low = (bits + 0x7FFF + ((bits >> np.uint64(16)) & np.uint64(1))) & np.uint64(0xFFFF0000)
    return np.where(np.isnan(values), np.float32(np.nan), low.astype(np.uint32).view(np.float32))


def to_fp8(values, kind):
    """Nearest even by torch's table, saturating as cvt.rn.satfinite does; NaN stays."""
    top = LARGEST[kind.name]
    clipped = torch.from_numpy(np.ascontiguousarray(np.asarray(values, dtype=np.float32))).clamp(-top, top)
    return clipped.to(kind.torch).float().numpy()


def rounded(values, kind):
    """Real numbers to the nearest value of a float kind."""
    with np.errstate(all="ignore"):
        if kind.name == "bf16":
            return to_bf16(values)
        return to_fp8(values, kind) if kind.group == "8" else np.asarray(values).astype(kind.array)


def to_integer(values, array, double):
    """Float to integer as an H200 does it: what does not fit gives the nearest bound, of 16 bits where 8 are asked for, and
    then the low half; NaN gives 0, or the top bit alone where either side has 64 bits (double: the float has)."""
    wide = {np.int8: np.int16, np.uint8: np.uint16}.get(array, array)
    info, signed = np.iinfo(wide), np.issubdtype(array, np.signedinteger)
    exact = np.trunc(np.asarray(values, dtype=np.float64))
    low, high = exact <= float(info.min), exact >= float(info.max)
    middle = np.where(np.isnan(exact) | low | high, 0.0, exact)
    with np.errstate(all="ignore"):
        inside = middle.astype(np.int64 if signed else np.uint64).astype(wide)
        held = np.where(low, wide(info.min), np.where(high, wide(info.max), inside))
        if double or info.bits == 64:
            held = np.where(np.isnan(exact), wide(info.min if signed else 1 << (info.bits - 1)), held)
        return held.astype(array)


def converted(values, have, want):
    """A cast between any two kinds."""
    with np.errstate(all="ignore"):
        if want.group == "b":
            return values != 0
        if want.group in "iu":
            return to_integer(values, want.array, have.name == "f64") if have.group in "f8" else values.astype(want.array)
        if have.group in "iu" and want.name == "bf16":
            return to_bf16(values.astype(np.float32))  # the compiler goes through f32
        if have.group in "iu" and want.name == "f16":
            return rounded(values.astype(np.float64), want)
        if have.name == "f64" and want.group == "8":
            return rounded(values.astype(np.float32), want)
        return rounded(values, want)


def to_torch(values, kind):
    values = np.ascontiguousarray(values)
    if kind.name in ("bf16", "e4m3", "e5m2"):
        return torch.from_numpy(values.astype(np.float32)).to(kind.torch)
    return torch.from_numpy(values.astype(kind.array))


def sample(rng, kind, shape, mood="tame"):
    """Values of a kind: "tame" (normal), "small" (integers of a few bits: sums stay exact), "wild" (with specials)."""
    if kind.group == "b":
        return rng.random(shape) < 0.5
    if kind.group in "iu":
        info = np.iinfo(kind.array)
        if mood == "small":
            return rng.integers(0 if kind.group == "u" else -4, 5, shape).astype(kind.array)
        if mood == "tame":
            return rng.integers(max(info.min, -100), min(info.max, 100), shape).astype(kind.array)
        values = rng.integers(info.min, info.max, shape, dtype=kind.array, endpoint=True)
        edges = np.array([info.min, info.max, 0, 1], dtype=kind.array)
        return np.where(rng.random(shape) < 0.15, edges[rng.integers(0, 4, shape)], values)
    if mood == "small":
        return rng.integers(-4, 5, shape).astype(kind.array)
    values = rng.standard_normal(shape) * 2.0 ** rng.integers(-2, 4)
    if mood == "wild":
        reach = {"f16": 15, "e4m3": 8, "e5m2": 15}.get(kind.name, 60)
        values = values * 2.0 ** rng.integers(-reach, reach, shape)
        edges = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, 0.5, -0.5, 1.5, 2.5])
        values = np.where(rng.random(shape) < 0.15, edges[rng.integers(0, 10, shape)], values)
    if kind.name == "e4m3":
        values = np.where(np.isinf(values), 448.0, values)
    return rounded(values, kind)
