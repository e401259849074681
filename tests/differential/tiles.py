"""Pieces that the generated block kernels share: a tile of R x C values loaded by one program."""

import torch
from case import Case, Expect
from kinds import KINDS, to_torch


def pick(rng, *names):
    return KINDS[names[rng.integers(len(names))]]


def load2d(name):
    return "tl.load(%s + r[:, None] * C + c[None, :])" % name


HEAD2D = """@triton.jit
def kernel(%s, R: tl.constexpr, C: tl.constexpr):
    r = tl.arange(0, R)
    c = tl.arange(0, C)
"""


def tile(rng, low=0, high=6):
    return int(2 ** rng.integers(low, high)), int(2 ** rng.integers(low, high))


def written(family, names, body, shape, tensors, outs, note="", helpers="", scale=None):
    """A one-program kernel over an R x C tile. outs: {name: (values, kind, how)}"""
    source = helpers + HEAD2D % ", ".join(names) + "".join("    %s\n" % line for line in body)
    args, expect = {}, {}
    for name in names:
        if name in tensors:
            args[name] = tensors[name]
    for name, (values, kind, how) in outs.items():
        want = to_torch(values, kind)
        args[name] = torch.zeros_like(want)
        expect[name] = Expect(want, **how)
    return Case(family, source, (1,), args, {"R": shape[0], "C": shape[1]}, expect, note)


STORE = {0: "tl.store(out + c, y)", 1: "tl.store(out + r, y)"}
