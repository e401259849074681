"""Addresses that are no multiple of the element size, and casts that keep them so."""

import torch
import triton
import triton.language as tl


@triton.jit
def load_as_words(x, y, shift, B: tl.constexpr):
    p = (x.to(tl.pointer_type(tl.int8), bitcast=True) + shift).to(tl.pointer_type(tl.int32), bitcast=True)
    tl.store(y + tl.arange(0, B), tl.load(p + tl.arange(0, B)))  # fault: bad_load_at_two_bytes


@triton.jit
def store_as_words(x, y, shift, B: tl.constexpr):
    p = (y.to(tl.pointer_type(tl.int8), bitcast=True) + shift).to(tl.pointer_type(tl.int32), bitcast=True)
    v = tl.load(x + tl.arange(0, B))
    tl.store(p + tl.arange(0, B), v)  # fault: bad_store_at_one_byte


@triton.jit
def add_as_words(y, shift, B: tl.constexpr):
    p = (y.to(tl.pointer_type(tl.int8), bitcast=True) + shift).to(tl.pointer_type(tl.int32), bitcast=True)
    tl.atomic_add(p + tl.arange(0, B), 1)  # fault: bad_atomic_at_three_bytes


def bad_load_at_two_bytes(x, i):
    y = torch.empty(64, dtype=torch.int32, device="cuda")
    load_as_words[(1,)](i, y, 2, B=64)
    return y


def bad_store_at_one_byte(x, i):
    y = torch.zeros(128, dtype=torch.int32, device="cuda")
    store_as_words[(1,)](i, y, 1, B=64)
    return y


def bad_atomic_at_three_bytes(x, i):
    y = torch.zeros(128, dtype=torch.int32, device="cuda")
    add_as_words[(1,)](y, 3, B=64)
    return y


def good_load_at_four_bytes(x, i):
    y = torch.empty(64, dtype=torch.int32, device="cuda")
    load_as_words[(1,)](i, y, 4, B=64)
    return y


def good_store_at_eight_bytes(x, i):
    y = torch.zeros(128, dtype=torch.int32, device="cuda")
    store_as_words[(1,)](i, y, 8, B=64)
    return y


def good_atomic_at_twelve_bytes(x, i):
    y = torch.zeros(128, dtype=torch.int32, device="cuda")
    add_as_words[(1,)](y, 12, B=64)
    return y
