"""Answers remembered by address."""

import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), 0.0)


def entry(x):
    """Return what is remembered of an address."""
    key = (x.data_ptr(), x.shape)
    if key in CACHE:  # expect: data_ptr_keyed_cache
        return CACHE[key]  # expect: data_ptr_keyed_cache=warn
    hit = CACHE.get(id(x))  # expect: data_ptr_keyed_cache=warn
    if hit is not None:  # expect: data_ptr_keyed_cache
        return hit
    if key not in CACHE:  # expect: data_ptr_keyed_cache=warn
        return x
    if key in CACHE:  # expect: data_ptr_keyed_cache=warn
        kernel[(1,)](CACHE[key], BLOCK=16)  # expect: data_ptr_keyed_cache=warn
        return CACHE[key]  # expect: data_ptr_keyed_cache=warn
    if x.shape in CACHE:
        return CACHE[x.shape]
    kernel[(1,)](x, BLOCK=16)
    return x


CACHE = {}
LAST = None


def cached(x, memory={}):
    """All the ways to look up an address."""
    global LAST
    key = (x.data_ptr(), x.shape)
    if key in CACHE:  # expect: data_ptr_keyed_cache=warn
        return CACHE[key]  # expect: data_ptr_keyed_cache=warn
    if id(x) == LAST:  # expect: data_ptr_keyed_cache=warn
        return x
    hit = CACHE.get(id(x))  # expect: data_ptr_keyed_cache=warn
    memory[x.data_ptr()] = hit  # expect: data_ptr_keyed_cache=warn
    cached.answers[x._version] = hit  # expect: data_ptr_keyed_cache=warn
    return hit


def honest(x, y):
    """Caches by shape, tests of alignment, local tables."""
    local = {}
    local[id(x)] = 1
    if x.data_ptr() % 16 == 0 and x.data_ptr() == y.data_ptr():
        local[x.shape] = CACHE.get((x.shape, x.dtype, x.device))
    CACHE[x.shape] = "x.data_ptr()"
    return local


RESULTS = [cached, honest]
