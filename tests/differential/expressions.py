"""Random expressions: each node is a text in Triton and its values, computed here in numpy from the operands' values
by the rules of the hardware, never from the text. Rules: integers wrap, / and % truncate, floats round to nearest even
after every operation, minimum and maximum drop NaN, casts to integers saturate.
"""

from dataclasses import dataclass

import numpy as np
from kinds import KINDS, NUMBERS, converted, rounded, to_odd

OFF = dict(all="ignore")


@dataclass
class Node:
    text: str
    kind: object
    values: np.ndarray
    ulps: float = 0.0  # how far a right machine may be off: 0 but for the approximate functions, which stay at the root


def wide(node):
    """Operands of a float operation as doubles: one rounding more does no harm to f32 and narrower."""
    return node.values.astype(np.float64)


def narrowed(text, kind):
    """minimum, maximum and clamp of 16-bit floats may come as f32."""
    return text + ".to(%s)" % kind.triton if kind.bits == 16 else text


def fused(x, y, z, kind):
    """x * y + z rounded once: the product of two doubles that hold 24 bits is exact, the sum's error is Knuth's."""
    product = x * y
    total = product + z
    part = total - product
    error = (product - (total - part)) + (z - part)
    error = np.where(np.isfinite(error), error, 0.0)
    return rounded(to_odd(total, total, error), kind)


def quotient(x, y):
    """Truncated, of integers as Python has them; y is nowhere 0."""
    a, b = x.astype(object), y.astype(object)
    return abs(a) // abs(b) * np.where((a < 0) != (b < 0), -1, 1)


def wrapped(values, kind):
    low = np.array([int(v) & ((1 << kind.bits) - 1) for v in values.ravel()], dtype=np.uint64)
    return low.astype("u%d" % (kind.bits // 8)).view(kind.array).reshape(values.shape)


def smaller(x, y, least):
    """minimum or maximum: NaN only where both are, -0 below +0."""
    first = np.where(least, (x < y) | ((x == y) & np.signbit(x)), (x > y) | ((x == y) & ~np.signbit(x)))
    return np.where(np.isnan(x), y, np.where(np.isnan(y), x, np.where(first, x, y)))


def float_binary(rng, x, y):
    kind = x.kind
    with np.errstate(**OFF):
        a, b = wide(x), wide(y)
        choices = [
            ("(%s + %s)", lambda: rounded(a + b, kind)),
            ("(%s - %s)", lambda: rounded(a - b, kind)),
            ("(%s * %s)", lambda: rounded(a * b, kind)),
            ("tl.minimum(%s, %s)", lambda: smaller(x.values, y.values, True)),
            ("tl.maximum(%s, %s)", lambda: smaller(x.values, y.values, False)),
        ]
        if kind.name == "f32":
            choices.append(("tl.div_rn(%s, %s)", lambda: rounded(a / b, kind)))
        text, values = choices[rng.integers(len(choices))]
        text = narrowed(text, kind) if text.startswith("tl.m") else text
        return Node(text % (x.text, y.text), kind, values())


def float_unary(rng, x):
    kind = x.kind
    with np.errstate(**OFF):
        choices = [("(-%s)", lambda: rounded(0 - wide(x), kind)), ("tl.abs(%s)", lambda: np.abs(x.values))]
        if kind.name in ("f32", "f64"):
            choices += [("tl.floor(%s)", lambda: np.floor(x.values)), ("tl.ceil(%s)", lambda: np.ceil(x.values))]
        if kind.name == "f32":
            choices.append(("tl.sqrt_rn(%s)", lambda: np.sqrt(x.values)))
        text, values = choices[rng.integers(len(choices))]
        return Node(text % x.text, kind, values())


def float_ternary(rng, x, y, z):
    kind = x.kind
    with np.errstate(**OFF):
        if rng.random() < 0.5 and kind.name != "f64":
            return Node("tl.fma(%s, %s, %s)" % (x.text, y.text, z.text), kind, fused(wide(x), wide(y), wide(z), kind))
        low, high = sorted(rng.integers(-4, 5, 2))
        high += low == -high  # a NaN between -h and h becomes one of them by its sign on sm_90
        inner = smaller(smaller(x.values, np.full_like(x.values, low), False), np.full_like(x.values, high), True)
        return Node(narrowed("tl.clamp(%s, %d.0, %d.0)" % (x.text, low, high), kind), kind, inner)


def integer_binary(rng, x, y):
    kind, a, b = x.kind, x.values, y.values
    with np.errstate(**OFF):
        odd = b | kind.array(1)
        choices = [
            ("(%s + %s)", lambda: a + b), ("(%s - %s)", lambda: a - b), ("(%s * %s)", lambda: a * b),
            ("(%s & %s)", lambda: a & b), ("(%s | %s)", lambda: a | b), ("(%s ^ %s)", lambda: a ^ b),
            ("tl.minimum(%s, %s)", lambda: np.minimum(a, b)), ("tl.maximum(%s, %s)", lambda: np.maximum(a, b)),
            ("(%s // (%s | 1))", lambda: wrapped(quotient(a, odd), kind)),
            ("(%s %% (%s | 1))", lambda: wrapped(a.astype(object) - quotient(a, odd) * odd.astype(object), kind)),
        ]  # fmt: skip
        if kind.bits >= 32:
            unsigned = [v.view("u%d" % (kind.bits // 8)).astype(object) for v in (a, b)]
            choices.append(("tl.umulhi(%s, %s)", lambda: wrapped((unsigned[0] * unsigned[1]) >> kind.bits, kind)))
        text, values = choices[rng.integers(len(choices))]
        return Node(text % (x.text, y.text), kind, values().astype(kind.array))


def integer_unary(rng, x):
    kind, a = x.kind, x.values
    with np.errstate(**OFF):
        shift = int(rng.integers(0, kind.bits))
        choices = [
            ("(-%s)", lambda: -a if kind.group == "i" else a), ("(~%s)", lambda: ~a),
            ("(%%s << %d)" % shift, lambda: wrapped(a.astype(object) << shift, kind)),
            ("(%%s >> %d)" % shift, lambda: a >> kind.array(shift)),
            ("(%s + 1)", lambda: a + kind.array(1)), ("(%s * 3)", lambda: a * kind.array(3)),
        ]  # fmt: skip
        if kind.group == "u":
            choices.pop(0)  # Triton refuses to negate an unsigned value
        else:
            choices.append(("tl.abs(%s)", lambda: np.abs(a)))
        text, values = choices[rng.integers(len(choices))]
        return Node(text % x.text, kind, values().astype(kind.array))


COMPARE = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}


class Maker:
    """Makes trees over given leaves: {kind name: [Node]}, all of one shape."""

    def __init__(self, rng, leaves):
        self.rng, self.leaves = rng, leaves
        self.have = sorted(leaves)

    def leaf(self, kind):
        own = self.leaves.get(kind.name)
        if own and self.rng.random() < 0.9:
            return own[self.rng.integers(len(own))]
        return self.cast(self.any_leaf(), kind)

    def any_leaf(self):
        pool = self.leaves[self.have[self.rng.integers(len(self.have))]]
        return pool[self.rng.integers(len(pool))]

    def cast(self, node, kind):
        if node.kind is kind:
            return node
        if node.kind.group in "f8" and kind.group in "iu" and kind.bits < 32:
            # what does not fit a narrow integer is undefined: bring it into range first
            info = np.iinfo(kind.array)
            low, high = max(info.min, -100), min(info.max, 99)  # NaN between -h and h: sm_90 takes its sign
            inner = "tl.clamp(%s.to(tl.float32), %d.0, %d.0)" % (node.text, low, high)
            held = converted(node.values, node.kind, KINDS["f32"])
            held = smaller(smaller(held, np.full_like(held, low), False), np.full_like(held, high), True)
            return Node("%s.to(%s)" % (inner, kind.triton), kind, converted(held, KINDS["f32"], kind))
        return Node("%s.to(%s)" % (node.text, kind.triton), kind, converted(node.values, node.kind, kind))

    def boolean(self, depth):
        kind = NUMBERS[self.rng.integers(len(NUMBERS))]
        if depth > 0 and self.rng.random() < 0.3:
            x, y = self.boolean(depth - 1), self.boolean(depth - 1)
            sign, op = [("&", np.logical_and), ("|", np.logical_or), ("^", np.logical_xor)][self.rng.integers(3)]
            return Node("(%s %s %s)" % (x.text, sign, y.text), KINDS["bool"], op(x.values, y.values))
        x, y = self.tree(kind, depth - 1), self.tree(kind, depth - 1)
        sign = list(COMPARE)[self.rng.integers(6)]
        return Node("(%s %s %s)" % (x.text, sign, y.text), KINDS["bool"], COMPARE[sign](x.values, y.values))

    def through_fp8(self, node):
        kind = KINDS["e4m3" if self.rng.random() < 0.5 else "e5m2"]
        values = converted(converted(node.values, node.kind, kind), kind, node.kind)
        return Node("%s.to(%s).to(%s)" % (node.text, kind.triton, node.kind.triton), node.kind, values)

    def bits_of(self, kind, depth):
        """A bitcast to `kind` from an integer or float of the same width."""
        same = [k for k in NUMBERS if k.bits == kind.bits and k is not kind and k.name != "bf16"]
        node = self.tree(same[self.rng.integers(len(same))], depth - 1)
        if node.kind.group == "f":  # the bits of a NaN are nobody's promise
            node = Node(
                "tl.clamp(%s, -9.0, 8.0)" % node.text,
                node.kind,
                smaller(smaller(node.values, np.full_like(node.values, -9), False), np.full_like(node.values, 8), True),
            )
            node.text = narrowed(node.text, node.kind)
        return Node("%s.to(%s, bitcast=True)" % (node.text, kind.triton), kind, node.values.view(kind.array))

    def tree(self, kind, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.1:
            return self.leaf(kind)
        dice = rng.random()
        if dice < 0.12:
            c, x, y = self.boolean(depth - 1), self.tree(kind, depth - 1), self.tree(kind, depth - 1)
            return Node("tl.where(%s, %s, %s)" % (c.text, x.text, y.text), kind, np.where(c.values, x.values, y.values))
        if dice < 0.27:
            other = NUMBERS[rng.integers(len(NUMBERS))]
            return self.cast(self.tree(other, depth - 1), kind)
        if dice < 0.30 and kind.name in ("i32", "i16", "i64", "u32", "u16"):
            return self.bits_of(kind, depth)
        if kind.group == "f":
            if dice < 0.34 and kind.name != "f64":
                return self.through_fp8(self.tree(kind, depth - 1))
            if dice < 0.50:
                return float_unary(rng, self.tree(kind, depth - 1))
            if dice < 0.60:
                return float_ternary(rng, *[self.tree(kind, depth - 1) for _ in range(3)])
            return float_binary(rng, self.tree(kind, depth - 1), self.tree(kind, depth - 1))
        if dice < 0.5:
            return integer_unary(rng, self.tree(kind, depth - 1))
        return integer_binary(rng, self.tree(kind, depth - 1), self.tree(kind, depth - 1))
