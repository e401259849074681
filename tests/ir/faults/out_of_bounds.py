"""Accesses outside a tensor's storage, and honest kernels that come close. `fault: NAME argument index` marks the line."""

import torch
import triton
import triton.language as tl


@triton.jit
def load_all(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o)  # fault: bad_no_mask_on_load x 1000
    tl.store(y + o, v, mask=o < n)


@triton.jit
def store_all(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o, mask=o < n, other=0.0)
    tl.store(y + o, v)  # fault: bad_no_mask_on_store y 1000


@triton.jit
def off_by_one(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o, mask=o <= n, other=0.0)  # fault: bad_mask_off_by_one x 1000
    tl.store(y + o, v, mask=o < n)


@triton.jit
def left_neighbour(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o - 1, mask=o < n, other=0.0)  # fault: bad_before_the_start x -1
    tl.store(y + o, v, mask=o < n)


@triton.jit
def guarded_neighbour(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o - 1, mask=(o > 0) & (o < n), other=0.0)
    tl.store(y + o, v, mask=o < n)


@triton.jit
def transposed(x, y, rows, columns, stride, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R)[:, None], tl.arange(0, C)[None, :]
    inside = (r < rows) & (c < columns)
    v = tl.load(x + r * columns + c, mask=inside, other=0.0)
    tl.store(y + c * stride + r, v, mask=inside)  # fault: bad_wrong_stride y 1014


@triton.jit
def histogram(i, y, n, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.atomic_add(y + tl.load(i + o, mask=o < n, other=0), 1.0, mask=o < n)  # fault: bad_atomic_index y 133


@triton.jit
def pick(x, i, y, B: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.gather(tl.load(x + o), tl.load(i + o), 0)  # fault: bad_gather_index
    tl.store(y + o, v)


@triton.jit
def clamped(x, i, y, n, B: tl.constexpr):
    o = tl.arange(0, B)
    at = tl.minimum(tl.maximum(tl.load(i + o) * 9 - 50, 0), n - 1)
    tl.store(y + o, tl.load(x + at))


def _elementwise(kernel, x):
    y = torch.empty_like(x)
    kernel[(4,)](x, y, x.numel(), B=256)
    return y


def bad_no_mask_on_load(x, i):
    return _elementwise(load_all, x)


def bad_no_mask_on_store(x, i):
    return _elementwise(store_all, x)


def bad_mask_off_by_one(x, i):
    return _elementwise(off_by_one, x)


def bad_before_the_start(x, i):
    return _elementwise(left_neighbour, x)


def bad_wrong_stride(x, i):
    y = torch.zeros(40, 25, device="cuda")
    transposed[(1,)](x, y, 25, 40, 26, R=32, C=64)  # 26 where 25 rows are written
    return y


def bad_atomic_index(x, i):
    y = torch.zeros(128, device="cuda")
    histogram[(1,)](i, y, 256, B=256)
    return y


def bad_gather_index(x, i):
    y = torch.empty(128, device="cuda")
    pick[(1,)](x, i, y, B=128)
    return y


def good_guarded_neighbour(x, i):
    return _elementwise(guarded_neighbour, x)


def good_exact_fit_without_mask(x, i):
    y = torch.empty(768, device="cuda")
    load_all[(3,)](x, y, 768, B=256)
    return y


def good_past_a_view_inside_its_storage(x, i):
    y = torch.empty(256, device="cuda")
    load_all[(1,)](x[:200], y, 256, B=256)  # the storage goes on
    return y


def good_transposed(x, i):
    y = torch.zeros(40, 25, device="cuda")
    transposed[(1,)](x, y, 25, 40, 25, R=32, C=64)
    return y


def good_histogram(x, i):
    y = torch.zeros(256, device="cuda")
    histogram[(1,)](i, y, 256, B=256)
    return y


def good_clamped_index(x, i):
    y = torch.empty(256, device="cuda")
    clamped[(1,)](x, i, y, 1000, B=256)
    return y


def good_negative_stride_from_the_end(x, i):
    y = torch.empty_like(x)
    backwards[(4,)](x, y, 1000, B=256)
    return y


@triton.jit
def backwards(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + o, tl.load(x + (n - 1 - o), mask=o < n, other=0.0), mask=o < n)
