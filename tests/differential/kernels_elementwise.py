"""Generated kernels: elementwise trees, loops, branches, device functions, approximate functions."""

import numpy as np
import torch
from case import Case, Expect
from expressions import Maker, Node, float_binary, integer_binary
from kinds import KINDS, NUMBERS, rounded, sample, to_torch

MOODS = ("tame", "wild", "small")


def zero(kind):
    return "0.0" if kind.group in "f8" else "0"


class Inputs:
    """Some tensors of n elements as arguments, the lines that load them, and leaves for a Maker."""

    def __init__(self, rng, n, kinds, mood):
        self.args, self.lines, self.leaves = {}, [], {}
        for index, kind in enumerate(kinds):
            values = sample(rng, kind, n, mood)
            self.args["x%d" % index] = to_torch(values, kind)
            self.lines.append("v%d = tl.load(x%d + o, mask=m, other=%s)" % (index, index, zero(kind)))
            node = Node("v%d" % index, kind, values)
            if kind.group == "8":
                node = Node("v%d.to(tl.float32)" % index, KINDS["f32"], values)
            self.leaves.setdefault(node.kind.name, []).append(node)
        self.leaves.setdefault("i32", []).append(Node("o", KINDS["i32"], np.arange(n, dtype=np.int32)))


def some_kinds(rng, count):
    pool = [*NUMBERS, KINDS["e4m3"], KINDS["e5m2"]]
    return [pool[i] for i in rng.integers(len(pool), size=count)]


def sizes(rng):
    block = int(2 ** rng.integers(4, 9))
    n = int(rng.integers(1, block * 4))
    return block, n, (n + block - 1) // block


PREFIX = """@triton.jit
def kernel(%s, out, n%s, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    m = o < n
"""


def assembled(family, inputs, body, n, block, programs, kind, values, extra=None, helpers="", **how):
    """A Case around the lines of a body that computes `r` for each element."""
    extra = extra or {}
    head = PREFIX % (", ".join(inputs.args), "".join(", " + name for name in extra))
    lines = inputs.lines + body + ["tl.store(out + o, r, mask=m)"]
    source = helpers + head + "".join("    %s\n" % line for line in lines)
    out = torch.zeros(n, dtype=kind.torch)
    args = {**inputs.args, "out": out, "n": n, **extra}
    return Case(family, source, (programs,), args, {"B": block}, {"out": Expect(to_torch(values, kind), **how)})


def tree(rng):
    """One expression over inputs of several kinds."""
    block, n, programs = sizes(rng)
    inputs = Inputs(rng, n, some_kinds(rng, rng.integers(1, 4)), MOODS[rng.integers(3)])
    kind = NUMBERS[rng.integers(len(NUMBERS))]
    node = Maker(rng, inputs.leaves).tree(kind, int(rng.integers(1, 6)))
    return assembled("tree", inputs, ["r = " + node.text], n, block, programs, kind, node.values)


def device_function(rng):
    """Parts of the expression in functions of their own; one returns a tuple."""
    block, n, programs = sizes(rng)
    kinds = [NUMBERS[i] for i in rng.integers(len(NUMBERS), size=2)]
    inputs = Inputs(rng, n, kinds, MOODS[rng.integers(3)])
    kind = NUMBERS[rng.integers(len(NUMBERS))]
    own = {"v0": "a", "v1": "b"}
    leaves = {}
    for node in [inputs.leaves[k.name][0 if i == 0 or kinds[0] is not k else 1] for i, k in enumerate(kinds)]:
        leaves.setdefault(node.kind.name, []).append(Node(own[node.text], node.kind, node.values))
    maker = Maker(rng, leaves)
    first, second = maker.tree(kind, 3), maker.tree(kind, 3)
    helper = "@triton.jit\ndef part(a, b):\n    return %s\n\n\n" % first.text
    helper += "@triton.jit\ndef pair(a, b):\n    return %s, a\n\n\n" % second.text
    combine = float_binary if kind.group == "f" else integer_binary
    last = combine(rng, Node("p", kind, first.values), Node("q", kind, second.values))
    body = ["p = part(v0, v1)", "q, _ = pair(v0, v1)", "r = " + last.text]
    return assembled("function", inputs, body, n, block, programs, kind, last.values, helpers=helper)


def loop(rng):
    """A carried value: for with run-time bounds, static_range, while; sometimes with a branch on the loop variable."""
    block, n, programs = sizes(rng)
    kind = NUMBERS[rng.integers(len(NUMBERS))]
    inputs = Inputs(rng, n, [kind, NUMBERS[rng.integers(len(NUMBERS))]], MOODS[rng.integers(3)])
    low, step = int(rng.integers(-3, 4)), int(rng.integers(1, 4))
    count = int(rng.integers(0, 6))
    high = low + count * step - int(rng.integers(0, step)) if count else low
    style = ["for", "static", "while", "branch"][rng.integers(4)]
    seeds = rng.integers(1 << 31, size=2)
    acc = inputs.leaves[kind.name][0].values
    texts = ["acc", "acc"]
    for i in range(low, high, step):
        odd = style == "branch" and i % 2 != 0
        for part in (0, 1):  # the same seed makes the same text; only the values differ from turn to turn
            leaves = {k: list(v) for k, v in inputs.leaves.items()}
            leaves["i32"].append(Node("(i + o * 0)", KINDS["i32"], np.full(n, i, dtype=np.int32)))
            leaves.setdefault(kind.name, []).insert(0, Node("acc", kind, acc))
            node = Maker(np.random.default_rng(seeds[part]), leaves).tree(kind, 2)
            texts[part] = node.text
            if part == int(odd):
                result = node.values
        acc = result
    body = loop_lines(style, texts, low, high, step)
    return assembled("loop", inputs, body, n, block, programs, kind, acc, extra={"lo": low, "hi": high})


def loop_lines(style, texts, low, high, step):
    start = ["acc = v0"]
    if style == "while":
        return start + ["i = lo", "while i < hi:", "    acc = " + texts[0], "    i += %d" % step, "r = acc"]
    bounds = "tl.static_range(%d, %d, %d)" % (low, high, step) if style == "static" else "range(lo, hi, %d)" % step
    if style == "branch":  # remainders truncate, so an odd negative number leaves -1
        inner = ["    if i % 2 == 0:", "        acc = " + texts[0], "    else:", "        acc = " + texts[1]]
        return start + ["for i in %s:" % bounds, *inner, "r = acc"]
    return start + ["for i in %s:" % bounds, "    acc = " + texts[0], "r = acc"]


def early_return(rng):
    """Programs that leave early, nested branches on scalars, a scalar load that decides."""
    block, n, programs = sizes(rng)
    kind = NUMBERS[rng.integers(len(NUMBERS))]
    inputs = Inputs(rng, n, [kind], MOODS[rng.integers(3)])
    gates = rng.integers(0, 3, programs).astype(np.int32)
    maker = Maker(rng, inputs.leaves)
    one, two = maker.tree(kind, 2), maker.tree(kind, 2)
    lane = gates[np.arange(n) // block]
    values = np.where(lane == 1, one.values, np.where(lane == 2, two.values, np.zeros(n, dtype=one.values.dtype)))
    body = ["g = tl.load(gate + tl.program_id(0))", "if g == 0:", "    return", "r = v0", "if g > 0:", "    if g == 1:",
            "        r = " + one.text, "    else:", "        r = " + two.text]  # fmt: skip
    extra = {"gate": torch.from_numpy(gates)}
    return assembled("branch", inputs, body, n, block, programs, kind, values, extra=extra)


# text, truth in long double, lowest and highest argument, ulps of a right machine, ulps of the GPU's fast version
def erf(x):
    return torch.erf(torch.from_numpy(x.astype(np.float64))).numpy()


APPROXIMATE = (
    ("tl.exp(%s)", np.exp, -80, 80, 2, 40), ("tl.exp2(%s)", np.exp2, -100, 100, 2, 4),
    ("tl.log(%s)", np.log, 1e-3, 1e6, 2, 2**14), ("tl.log2(%s)", np.log2, 1e-3, 1e6, 2, 2**14),
    ("tl.sqrt(%s)", np.sqrt, 0, 1e6, 1, 2), ("tl.rsqrt(%s)", lambda x: 1 / np.sqrt(x), 1e-3, 1e6, 2, 4),
    ("tl.sin(%s)", np.sin, -3, 3, 2, 2**22), ("tl.cos(%s)", np.cos, -1.5, 1.5, 2, 2**22),
    ("tl.erf(%s)", erf, -4, 4, 4, 4), ("(3.0 / %s)", lambda x: 3 / x, 0.01, 100, 1, 3),
    ("tl.sigmoid(%s)", lambda x: 1 / (1 + np.exp(-x)), -20, 20, 4, 64),
    ("libdevice.tanh(%s)", np.tanh, -4, 4, 3, 4), ("libdevice.expm1(%s)", np.expm1, -4, 4, 3, 4),
    ("libdevice.log1p(%s)", np.log1p, -0.5, 100, 3, 4), ("libdevice.atan(%s)", np.arctan, -50, 50, 3, 4),
    ("libdevice.sinh(%s)", np.sinh, -8, 8, 3, 6), ("libdevice.cbrt(%s)", np.cbrt, -100, 100, 3, 4),
    ("libdevice.tan(%s)", np.tan, -1.2, 1.2, 4, 8), ("libdevice.asin(%s)", np.arcsin, -0.9, 0.9, 4, 6),
    ("libdevice.pow(%s, %s)", lambda x: x**x, 0.1, 8, 4, 10), ("libdevice.rint(%s)", np.rint, -9, 9, 0, 0),
    ("libdevice.trunc(%s)", np.trunc, -9, 9, 0, 0), ("libdevice.acos(%s)", np.arccos, -0.9, 0.9, 4, 6),
    ("libdevice.cosh(%s)", np.cosh, -8, 8, 3, 6), ("libdevice.asinh(%s)", np.arcsinh, -50, 50, 4, 6),
    ("libdevice.acosh(%s)", np.arccosh, 1.1, 50, 4, 6), ("libdevice.atanh(%s)", np.arctanh, -0.9, 0.9, 4, 6),
    ("libdevice.exp10(%s)", lambda x: np.longdouble(10) ** x, -20, 20, 3, 4),
    ("libdevice.rsqrt(%s)", lambda x: 1 / np.sqrt(x), 1e-3, 1e6, 2, 3),
    ("libdevice.hypot(%s, %s)", lambda x: np.hypot(x, x), 0.1, 100, 3, 4),
    ("libdevice.atan2(%s, %s)", lambda x: np.arctan2(x, x), 0.1, 50, 4, 6),
    ("libdevice.log10(%s)", np.log10, 0.01, 1e5, 3, 5),
)  # fmt: skip


def approximate(rng):
    """A function that is not exact on a GPU either, on arguments within its domain; only its result is stored."""
    block, n, programs = sizes(rng)
    kind = KINDS[("f32", "f64")[rng.integers(2)]]
    text, truth, low, high, ulps, gpu = APPROXIMATE[rng.integers(len(APPROXIMATE))]
    inputs = Inputs(rng, n, [kind], "tame")
    values = rng.uniform(low, high, n).astype(kind.array)
    inputs.args["x0"] = torch.from_numpy(values)
    body = ["r = " + text.replace("%s", "v0")]
    exact = truth(values.astype(np.longdouble)).astype(kind.array)
    fast = gpu if kind.name == "f32" else 8
    case = assembled("approximate", inputs, body, n, block, programs, kind, exact, ulps=ulps, gpu=fast)
    case.note = text
    return case


def bit_counts(values):
    return np.array([int(v).bit_count() for v in values.view(np.uint32)], dtype=np.int32)


def leading(values):
    return np.array([32 - int(v).bit_length() for v in values.view(np.uint32)], dtype=np.int32)


def first_set(values):
    return np.array([(int(v) & -int(v)).bit_length() for v in values.view(np.uint32)], dtype=np.int32)


def reversed_bits(values):
    flipped = [int(format(int(v), "032b")[::-1], 2) for v in values.view(np.uint32)]
    return np.array(flipped, dtype=np.uint32).view(np.int32)


EXACT = (  # libdevice functions without rounding: text, values, kind of the operand, kind of the result
    ("libdevice.popc(%s)", bit_counts, "i32", "i32"), ("libdevice.clz(%s)", leading, "i32", "i32"),
    ("libdevice.ffs(%s)", first_set, "i32", "i32"), ("libdevice.brev(%s)", reversed_bits, "i32", "i32"),
    ("libdevice.mulhi(%s, %s)", lambda x: ((x.astype(np.int64) ** 2) >> 32).astype(np.int32), "i32", "i32"),
    ("libdevice.floor(%s)", np.floor, "f32", "f32"), ("libdevice.ceil(%s)", np.ceil, "f64", "f64"),
    ("libdevice.rint(%s)", np.rint, "f32", "f32"), ("libdevice.trunc(%s)", np.trunc, "f64", "f64"),
    ("libdevice.isnan(%s).to(tl.int32)", lambda x: np.isnan(x).astype(np.int32), "f32", "i32"),
    ("libdevice.isinf(%s).to(tl.int32)", lambda x: np.isinf(x).astype(np.int32), "f64", "i32"),
    ("libdevice.copysign(%s, -1.0)", lambda x: -np.abs(x), "f32", "f32"), ("libdevice.abs(%s)", np.abs, "f32", "f32"),
    ("libdevice.float_as_int(%s + 0.0)", lambda x: (x + np.float32(0)).view(np.int32), "f32", "i32"),
    ("libdevice.div_rn(%s, 3.0)", lambda x: x / np.float32(3), "f32", "f32"),
    ("libdevice.fma(%s, 2.0, 1.0)", lambda x: rounded(x.astype(np.float64) * 2 + 1, KINDS["f32"]), "f32", "f32"),
)  # fmt: skip


def exact_library(rng):
    """Functions of libdevice that have one right result."""
    block, n, programs = sizes(rng)
    text, truth, operand, result = EXACT[rng.integers(len(EXACT))]
    mood = "tame" if "as_int" in text else "wild"
    inputs = Inputs(rng, n, [KINDS[operand]], mood)
    node = inputs.leaves[operand][0]
    body = ["r = " + text.replace("%s", node.text)]
    case = assembled("library", inputs, body, n, block, programs, KINDS[result], truth(node.values))
    case.note = text
    return case


def scalars(rng):
    """Scalar arguments of every sort, specialised (1, multiples of 16) or not, program ids over three axes."""
    grid = tuple(int(g) for g in rng.integers(1, 4, 3))
    count = grid[0] * grid[1] * grid[2]
    whole = [int(v) for v in rng.choice([0, 1, 16, 17, -5, 2**31 - 1, 2**31 + 7, -(2**40), 2**40 + 16], 2)]
    real = float(np.float32(rng.standard_normal()))
    flag = bool(rng.random() < 0.5)
    at = np.arange(count)
    z, y, x = at % grid[2], at // grid[2] % grid[1], at // (grid[2] * grid[1])
    mixed = (x + 10 * y + 100 * z + 1000 * grid[1]).astype(np.int64) + whole[0] - whole[1]
    values = mixed if flag else -mixed
    source = """@triton.jit(noinline=True)
def place(x, y, z):
    return (x * tl.num_programs(1) + y) * tl.num_programs(2) + z


@triton.jit
def kernel(out, outf, a, b, f, flag):
    x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    at = place(x, y, z)
    v = (x + 10 * y + 100 * z + 1000 * tl.num_programs(1)).to(tl.int64) + a - b
    if flag:
        tl.store(out + at, v)
    else:
        tl.store(out + at, -v)
    tl.store(outf + at, f * 0.5 + at)
"""
    with np.errstate(all="ignore"):
        floats = (np.float32(real) * np.float32(0.5) + at.astype(np.float32)).astype(np.float32)
    args = {
        "out": torch.zeros(count, dtype=torch.int64),
        "outf": torch.zeros(count),
        "a": whole[0],
        "b": whole[1],
        "f": real,
        "flag": flag,
    }
    expect = {"out": Expect(torch.from_numpy(values)), "outf": Expect(torch.from_numpy(floats))}
    return Case("scalars", source, grid, args, {}, expect)


FAMILIES = {"tree": (tree, 8), "function": (device_function, 2), "loop": (loop, 3), "branch": (early_return, 1),
            "approximate": (approximate, 2), "library": (exact_library, 1), "scalars": (scalars, 1)}  # fmt: skip
