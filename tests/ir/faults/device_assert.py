"""tl.device_assert in kernels compiled with debug, where it fails, where it holds, and where it is not compiled."""

import torch
import triton
import triton.language as tl


@triton.jit(debug=True)
def below(i, y, n, limit, B: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.load(i + o, mask=o < n, other=0)
    tl.device_assert(v < limit, "index too large")  # fault: bad_one_lane_fails
    tl.store(y + o, v, mask=o < n)


@triton.jit(debug=True)
def whole_blocks(y, n, B: tl.constexpr):
    tl.device_assert(n % B == 0, "whole blocks only")  # fault: bad_scalar_fails
    tl.store(y + tl.arange(0, B), n)


@triton.jit(debug=True)
def finite(x, y, B: tl.constexpr):
    v = tl.load(x + tl.arange(0, B))
    r = tl.sqrt(v)
    tl.device_assert(r == r, "not a number")  # fault: bad_square_root_of_negatives
    tl.store(y + tl.arange(0, B), r)


@triton.jit
def not_compiled(i, y, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.device_assert(o < 0, "never true")
    tl.store(y + o, tl.load(i + o))


def _ints(n):
    return torch.zeros(n, dtype=torch.int32, device="cuda")


def bad_one_lane_fails(x, i):
    y = _ints(256)
    below[(1,)](i, y, 256, 255, B=256)
    return y


def bad_scalar_fails(x, i):
    y = _ints(64)
    whole_blocks[(1,)](y, 100, B=64)
    return y


def bad_square_root_of_negatives(x, i):
    y = torch.empty(256, device="cuda")
    finite[(1,)](x, y, B=256)
    return y


def good_all_below(x, i):
    y = _ints(256)
    below[(1,)](i, y, 256, 256, B=256)
    return y


def good_whole_blocks(x, i):
    y = _ints(64)
    whole_blocks[(1,)](y, 128, B=64)
    return y


def good_square_root_of_squares(x, i):
    y = torch.empty(256, device="cuda")
    finite[(1,)](x * x, y, B=256)
    return y


def good_without_debug(x, i):
    y = _ints(64)
    not_compiled[(1,)](i, y, B=64)
    return y
