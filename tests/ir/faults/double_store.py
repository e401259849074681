"""One block stores different values to one element, and blocks that only look as if they did."""

import torch
import triton
import triton.language as tl


@triton.jit
def halves(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.store(y + o // 2, tl.load(x + o))  # fault: bad_two_lanes_an_element y 0


@triton.jit
def flat(x, y, S: tl.constexpr, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R)[:, None], tl.arange(0, C)[None, :]
    tl.store(y + r * S + c, tl.load(x + r * C + c))  # fault: bad_rows_overlap y 16


@triton.jit
def by_index(x, i, y, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.store(y + tl.load(i + o) % 64, tl.load(x + o))  # fault: bad_index_wraps y


@triton.jit
def sums(x, y, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R)[:, None], tl.arange(0, C)[None, :]
    total = tl.sum(tl.load(x + r * C + c), 1)[:, None] + tl.zeros((R, C), tl.float32)
    tl.store(y + r + 0 * c, total)  # every lane of a row has the same value


def bad_two_lanes_an_element(x, i):
    y = torch.zeros(64, device="cuda")
    halves[(1,)](x, y, B=128)
    return y


def bad_rows_overlap(x, i):
    y = torch.zeros(1024, device="cuda")
    flat[(1,)](x, y, S=16, R=16, C=32)
    return y


def bad_index_wraps(x, i):
    y = torch.zeros(64, device="cuda")
    by_index[(1,)](x, i, y, B=256)
    return y


def good_rows_of_their_own(x, i):
    y = torch.zeros(1024, device="cuda")
    flat[(1,)](x, y, S=33, R=16, C=32)
    return y


def good_equal_values(x, i):
    y = torch.zeros(16, device="cuda")
    sums[(1,)](x, y, R=16, C=32)
    return y


def good_every_lane_its_element(x, i):
    y = torch.zeros(64, device="cuda")
    by_index[(1,)](x, i, y, B=64)
    return y
