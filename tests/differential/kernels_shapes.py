"""Generated kernels: shapes, gather, histogram, sort, atomics."""

import numpy as np
import torch
from case import Case, Expect
from kinds import KINDS, NUMBERS, rounded, sample, to_torch
from tiles import load2d, pick, tile, written


def shuffle(rng):
    """A chain of reshape, trans, join, split, expand and broadcast: every element must arrive where it should."""
    kind, shape = NUMBERS[rng.integers(len(NUMBERS))], tile(rng, 1, 6)
    values = sample(rng, kind, shape, "wild")
    body, now = ["y = " + load2d("x")], values
    for _ in range(int(rng.integers(1, 5))):
        step = ["trans", "reshape", "join", "split", "flip", "interleave", "broadcast"][rng.integers(7)]
        if step == "trans":
            order = rng.permutation(now.ndim)
            body.append("y = tl.permute(y, %s)" % ", ".join(str(i) for i in order))
            now = now.transpose(order)
        elif step == "reshape":
            split_at = int(2 ** rng.integers(0, int(np.log2(now.size)) + 1))
            now = now.reshape(split_at, now.size // split_at)
            body.append("y = tl.reshape(y, %d, %d)" % now.shape)
        elif step == "join" and now.size <= 2048 and now.ndim < 4:
            other = (now + 1) if kind.group in "iu" else np.abs(now)
            body.append("y = tl.join(y, %s)" % ("y + 1" if kind.group in "iu" else "tl.abs(y)"))
            now = np.stack([now, other.astype(now.dtype)], -1)
        elif step == "split" and now.shape[-1] == 2 and now.ndim > 1:
            body.append("y, _ = tl.split(y)" if rng.random() < 0.5 else "_, y = tl.split(y)")
            now = now[..., 0 if body[-1].startswith("y") else 1]
        elif step == "flip" and now.ndim > 0 and now.shape[-1] > 1:
            body.append("y = tl.flip(y, %d)" % (now.ndim - 1))
            now = np.flip(now, -1)
        elif step == "interleave" and now.size <= 2048:
            body.append("y = tl.interleave(y, y)")
            now = np.repeat(now, 2, -1)
        elif step == "broadcast" and now.size <= 1024 and now.ndim < 4:
            body.append("y = tl.broadcast_to(tl.expand_dims(y, 0), %s)" % ", ".join(str(d) for d in (2, *now.shape)))
            now = np.broadcast_to(now, (2, *now.shape))
    body.append("tl.store(out + tl.arange(0, %d), tl.reshape(y, %d))" % (now.size, now.size))
    return written(
        "shapes", ["x", "out"], body, shape, {"x": to_torch(values, kind)}, {"out": (now.reshape(-1).copy(), kind, {})}
    )


def gather(rng):
    kind, shape, axis = NUMBERS[rng.integers(len(NUMBERS))], tile(rng, 1, 6), int(rng.integers(2))
    values = sample(rng, kind, shape, "wild")
    index = rng.integers(0, shape[axis], shape).astype(np.int32)
    body = [
        "y = tl.gather(%s, %s, %d)" % (load2d("x"), load2d("i"), axis),
        "tl.store(out + r[:, None] * C + c[None, :], y)",
    ]
    want = np.take_along_axis(values, index, axis)
    return written(
        "gather",
        ["x", "i", "out"],
        body,
        shape,
        {"x": to_torch(values, kind), "i": torch.from_numpy(index)},
        {"out": (want, kind, {})},
    )


def histogram(rng):
    n, bins = int(2 ** rng.integers(2, 9)), int(2 ** rng.integers(1, 7))
    values = rng.integers(0, bins, n).astype(np.int32)
    masked = rng.random() < 0.5
    keep = rng.random(n) < 0.7 if masked else np.ones(n, dtype=bool)
    body = ["v = tl.load(x + c)", "k = tl.load(keep + c)"]
    body += [
        "y = tl.histogram(v, %d%s)" % (bins, ", mask=k" if masked else ""),
        "tl.store(out + tl.arange(0, %d), y)" % bins,
    ]
    want = np.bincount(values[keep], minlength=bins).astype(np.int32)
    tensors = {"x": torch.from_numpy(values), "keep": torch.from_numpy(keep)}
    return written("histogram", ["x", "keep", "out"], body, (1, n), tensors, {"out": (want, KINDS["i32"], {})})


def sort(rng):
    kind, shape = pick(rng, "i32", "f32", "i16", "u32", "f16", "i64", "f64"), tile(rng, 1, 6)
    values = sample(rng, kind, shape, "tame")
    if kind.group == "f":
        values = np.where(values == 0, np.abs(values), values).astype(values.dtype)
    style = ["sort", "descending", "topk"][rng.integers(3)]
    ordered = np.sort(values, -1)
    if style == "topk":
        k = int(2 ** rng.integers(0, int(np.log2(shape[1])) + 1))
        want = ordered[:, ::-1][:, :k].copy()
        body = [
            "y = tl.topk(%s, %d)" % (load2d("x"), k),
            "tl.store(out + r[:, None] * %d + tl.arange(0, %d)[None, :], y)" % (k, k),
        ]
    else:
        want = ordered[:, ::-1].copy() if style == "descending" else ordered
        body = [
            "y = tl.sort(%s, descending=%s)" % (load2d("x"), style == "descending"),
            "tl.store(out + r[:, None] * C + c[None, :], y)",
        ]
    return written("sort", ["x", "out"], body, shape, {"x": to_torch(values, kind)}, {"out": (want, kind, {})}, style)


ATOMICS = {
    "add": np.add, "max": np.maximum, "min": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}  # fmt: skip


ATOMIC_KINDS = {
    "add": ("i32", "u32", "i64", "u64", "f32", "f64", "f16", "bf16"), "max": ("i32", "u32", "i64", "f32"),
    "min": ("i32", "u32", "i64", "f32"), "xchg": ("i32", "f32", "i64"), "cas": ("i32", "i64"),
}  # fmt: skip


def atomic(rng):
    """Many programs update few cells; the order cannot matter. xchg and cas: one cell a lane."""
    name = [*ATOMICS, "xchg", "cas"][rng.integers(8)]
    kind = pick(rng, *ATOMIC_KINDS.get(name, ("i32", "u32", "i64")))
    block, programs = int(2 ** rng.integers(4, 8)), int(rng.integers(1, 5))
    n = block * programs - int(rng.integers(0, block))
    apart = name in ("xchg", "cas")
    cells = block * programs if apart else int(rng.integers(1, 40))
    where = rng.permutation(cells)[:n].astype(np.int32) if apart else rng.integers(0, cells, n).astype(np.int32)
    mood = "small" if kind.group == "f" else "wild"
    values, start = sample(rng, kind, n, mood), sample(rng, kind, cells, "small")
    want = start.copy()
    test = sample(rng, kind, n, "small")
    with np.errstate(all="ignore"):
        if name == "xchg":
            want[where] = values
        elif name == "cas":
            want[where] = np.where(start[where] == test, values, start[where])
        else:
            ATOMICS[name].at(want, where, values)
            want = rounded(want, kind) if kind.group == "f" else want
    call = "tl.atomic_cas(out + at, t, v)" if name == "cas" else "tl.atomic_%s(out + at, v, mask=m)" % name
    body = [
        "v = tl.load(x + o, mask=m, other=0)",
        "t = tl.load(test + o, mask=m, other=0)",
        "at = tl.load(where + o, mask=m, other=0)",
    ]
    if name == "cas":  # no mask: let the lanes beyond the end compare with what is there nowhere
        n_all = block * programs
        spare = cells
        where = np.concatenate([where, np.full(n_all - n, spare, dtype=np.int32)]).astype(np.int32)
        test = np.concatenate([test, np.full(n_all - n, 7, dtype=kind.array)])
        values = np.concatenate([values, np.zeros(n_all - n, dtype=kind.array)])
        start, want, n = np.append(start, kind.array(0)), np.append(want, kind.array(0)), n_all
    body += ["old = " + call]
    if apart:
        body.append("tl.store(old_out + o, old, mask=m)")
    source = "@triton.jit\ndef kernel(x, test, where, out, old_out, n, B: tl.constexpr):\n"
    source += "    o = tl.program_id(0) * B + tl.arange(0, B)\n    m = o < n\n"
    source += "".join("    %s\n" % line for line in body)
    old = start[where] if apart else np.zeros(n, dtype=start.dtype)
    args = {"x": to_torch(values, kind), "test": to_torch(test, kind), "where": torch.from_numpy(where),
            "out": to_torch(start, kind), "old_out": torch.zeros(n, dtype=kind.torch), "n": n}  # fmt: skip
    expect = {"out": Expect(to_torch(want, kind)), "old_out": Expect(to_torch(old, kind))}
    return Case("atomic", source, (programs,), args, {"B": block}, expect, "%s %s" % (name, kind.name))


FAMILIES = {"shapes": (shuffle, 2), "gather": (gather, 1), "histogram": (histogram, 1), "sort": (sort, 1),
            "atomic": (atomic, 2)}  # fmt: skip
