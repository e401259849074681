"""Values that nobody defined, and honest kernels in which such lanes reach nothing."""

import torch
import triton
import triton.language as tl


@triton.jit
def no_other(x, y, n, B: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.load(x + o, mask=o < n)
    tl.store(y + o, v * 2.0)  # fault: bad_masked_lanes_are_stored y 1000


@triton.jit
def sum_without_other(x, y, n, B: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.load(x + o, mask=o < n)
    tl.store(y, tl.sum(v, 0))  # fault: bad_masked_lanes_are_summed y 0


@triton.jit
def sum_with_where(x, y, n, B: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.load(x + o, mask=o < n)
    tl.store(y, tl.sum(tl.where(o < n, v, 0.0), 0))


@triton.jit
def same_mask(x, y, n, B: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.load(x + o, mask=o < n)
    tl.store(y + o, v * 2.0, mask=o < n)


@triton.jit
def copy(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o, mask=o < n, other=0.0)
    tl.store(y + o, v, mask=o < n)  # fault: bad_reads_fresh_memory y 0


@triton.jit
def add_to(y, B: tl.constexpr):
    tl.atomic_add(y + tl.arange(0, B), 1.0)  # fault: bad_atomics_on_fresh_memory y 0


@triton.jit
def first_then_rest(x, scratch, y, n, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.store(scratch + o, tl.load(x + o, mask=o < n, other=1.0))
    tl.store(y + o, tl.load(scratch + o))


@triton.jit
def by_index(x, i, y, n, B: tl.constexpr):
    o = tl.arange(0, B)
    at = tl.load(i + o, mask=o < n)
    v = tl.load(x + at)  # fault: bad_masked_lanes_are_addresses
    tl.store(y + o, v, mask=o < n)


@triton.jit
def branches(i, y, n, B: tl.constexpr):
    o = tl.arange(0, B)
    if tl.max(tl.load(i + o, mask=o < n), 0) > 5:  # fault: bad_masked_lanes_decide_a_branch
        tl.store(y, 1.0)
    else:
        tl.store(y, 2.0)


def bad_masked_lanes_are_stored(x, i):
    y = torch.zeros(1024, device="cuda")
    no_other[(1,)](x, y, 1000, B=1024)
    return y


def bad_masked_lanes_are_summed(x, i):
    y = torch.zeros(1, device="cuda")
    sum_without_other[(1,)](x, y, 1000, B=1024)
    return y


def bad_reads_fresh_memory(x, i):
    scratch, y = torch.empty_like(x), torch.empty_like(x)
    copy[(4,)](scratch, y, 1000, B=256)
    return y


def bad_atomics_on_fresh_memory(x, i):
    y = torch.empty(64, device="cuda")
    add_to[(2,)](y, B=64)
    return y


def bad_masked_lanes_are_addresses(x, i):
    y = torch.zeros(256, device="cuda")
    by_index[(1,)](x, i, y, 200, B=256)
    return y


def bad_masked_lanes_decide_a_branch(x, i):
    y = torch.zeros(1, device="cuda")
    branches[(1,)](i, y, 200, B=256)
    return y


def good_store_under_the_same_mask(x, i):
    y = torch.zeros(1024, device="cuda")
    same_mask[(1,)](x, y, 1000, B=1024)
    return y


def good_where_takes_them_out(x, i):
    y = torch.empty(1, device="cuda")
    sum_with_where[(1,)](x, y, 1000, B=1024)
    return y


def good_full_block_needs_no_other(x, i):
    y = torch.empty(512, device="cuda")
    no_other[(1,)](x, y, 512, B=512)
    return y


def good_scratch_is_written_first(x, i):
    scratch, y = torch.empty(1024, device="cuda"), torch.empty(1024, device="cuda")
    first_then_rest[(1,)](x, scratch, y, 1000, B=1024)
    return y


def good_fresh_memory_filled_by_torch(x, i):
    scratch, y = torch.empty_like(x), torch.empty_like(x)
    scratch.fill_(3.0)
    copy[(4,)](scratch, y, 1000, B=256)
    return y


def good_atomics_on_zeros(x, i):
    y = torch.zeros(64, device="cuda")
    add_to[(2,)](y, B=64)
    return y
