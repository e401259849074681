"""Two programs on one element, and honest kernels that share memory in ways that are no race."""

import torch
import triton
import triton.language as tl


@triton.jit
def lost_update(x, y, B: tl.constexpr):
    v = tl.sum(tl.load(x + tl.program_id(0) * B + tl.arange(0, B)), 0)
    old = tl.load(y)
    tl.store(y, old + v)  # fault: bad_lost_update y 0


@triton.jit
def overlap(y, S: tl.constexpr, B: tl.constexpr):
    o = tl.program_id(0) * S + tl.arange(0, B)
    v = tl.program_id(0) + tl.zeros((B,), tl.float32)
    tl.store(y + o, v + 1.0)  # fault: bad_blocks_overlap y 128


@triton.jit
def shift_in_place(x, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o + 1, mask=o + 1 < n, other=0.0)
    tl.store(x + o, v + 1.0, mask=o < n)  # fault: bad_shift_in_place x 256


@triton.jit
def mixed(y, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.atomic_add(y + o, 1.0)
    if tl.program_id(0) == 1:
        tl.store(y + o, 7.0 + o)  # fault: bad_store_beside_atomics y 0


@triton.jit
def scatter(x, i, y, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o)
    tl.store(y + tl.load(i + o) // 2, v)  # fault: bad_scatter_with_equal_targets y


@triton.jit
def split_sum(x, y, B: tl.constexpr):
    tl.atomic_add(y, tl.sum(tl.load(x + tl.program_id(0) * B + tl.arange(0, B)), 0))


@triton.jit
def square_in_place(x, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o, mask=o < n, other=0.0)
    tl.store(x + o, v * v, mask=o < n)


@triton.jit
def same_value(y, B: tl.constexpr):
    tl.store(y + tl.arange(0, B), 1.0)


@triton.jit
def shared_row(x, w, y, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.store(y + tl.program_id(0) * B + o, tl.load(x + tl.program_id(0) * B + o) * tl.load(w + o))


@triton.jit
def locked(x, lock, y, B: tl.constexpr):
    v = tl.sum(tl.load(x + tl.program_id(0) * B + tl.arange(0, B)), 0)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.atomic_add(y, v)
    tl.atomic_xchg(lock, 0)


def bad_lost_update(x, i):
    y = torch.zeros(1, device="cuda")
    lost_update[(4,)](x, y, B=128)
    return y


def bad_blocks_overlap(x, i):
    y = torch.zeros(512, device="cuda")
    overlap[(3,)](y, S=128, B=256)
    return y


def bad_shift_in_place(x, i):
    y = x.clone()
    shift_in_place[(4,)](y, 1000, B=256)
    return y


def bad_store_beside_atomics(x, i):
    y = torch.zeros(64, device="cuda")
    mixed[(3,)](y, B=64)
    return y


def bad_scatter_with_equal_targets(x, i):
    y = torch.zeros(128, device="cuda")
    scatter[(4,)](x, i, y, B=64)
    return y


def good_atomic_sum(x, i):
    y = torch.zeros(1, device="cuda")
    split_sum[(7,)](x, y, B=128)
    return y


def good_in_place(x, i):
    y = x.clone()
    square_in_place[(4,)](y, 1000, B=256)
    return y


def good_all_store_one_value(x, i):
    y = torch.zeros(64, device="cuda")
    same_value[(5,)](y, B=64)
    return y


def good_all_read_one_row(x, i):
    y = torch.empty(512, device="cuda")
    shared_row[(4,)](x, x, y, B=128)
    return y


def good_blocks_that_touch(x, i):
    y = torch.zeros(512, device="cuda")
    overlap[(4,)](y, S=128, B=128)
    return y


def good_two_launches_on_one_cell(x, i):
    y = torch.zeros(512, device="cuda")
    overlap[(1,)](y, S=128, B=256)
    overlap[(2,)](y, S=128, B=128)
    return y


def good_permuted_scatter(x, i):
    y = torch.zeros(256, device="cuda")
    permute[(4,)](x, i, y, B=64)
    return y


def good_lock(x, i):
    y, lock = torch.zeros(1, device="cuda"), torch.zeros(1, dtype=torch.int32, device="cuda")
    locked[(4,)](x, lock, y, B=128)
    return y


@triton.jit
def permute(x, i, y, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + tl.load(i + o), tl.load(x + o))
