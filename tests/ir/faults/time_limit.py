"""Loops that do not end, and loops that do. The limit may strike at any line of a loop."""

import torch
import triton
import triton.language as tl


@triton.jit
def wait(flag, y):
    turns = 0
    while tl.load(flag) == 0:  # fault: bad_waits_for_nobody
        turns += 1  # fault: bad_waits_for_nobody
    tl.store(y, turns)


@triton.jit
def halve(y, n):
    while n > 0:  # fault: bad_never_reaches_zero
        n = n - n // 2  # fault: bad_never_reaches_zero
    tl.store(y, n)


@triton.jit
def lock_twice(lock, y):
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    while tl.atomic_cas(lock, 0, 1) == 1:  # fault: bad_locks_twice
        pass
    tl.store(y, 1)


@triton.jit
def halve_to_zero(y, n):
    turns = 0
    while n > 0:
        n = n // 2
        turns += 1
    tl.store(y, turns)


@triton.jit
def many_turns(y, n):
    total = 0
    for k in range(n):
        total += k % 7
    tl.store(y, total)


@triton.jit
def hand_over(flag, y):
    p = tl.program_id(0)
    while tl.atomic_add(flag, 0) != p:
        pass
    tl.store(y + p, p)
    tl.atomic_add(flag, 1)


def _ints(n):
    return torch.zeros(n, dtype=torch.int32, device="cuda")


def bad_waits_for_nobody(x, i):
    y = _ints(1)
    wait[(2,)](_ints(1), y)
    return y


def bad_never_reaches_zero(x, i):
    y = _ints(1)
    halve[(1,)](y, 100)
    return y


def bad_locks_twice(x, i):
    y = _ints(1)
    lock_twice[(1,)](_ints(1), y)
    return y


def good_halves_to_zero(x, i):
    y = _ints(1)
    halve_to_zero[(1,)](y, 1 << 30)
    return y


def good_many_turns(x, i):
    y = _ints(1)
    many_turns[(1,)](y, 200000)
    return y


def good_programs_wait_for_each_other(x, i):
    y = _ints(8)
    hand_over[(8,)](_ints(1), y)
    return y
