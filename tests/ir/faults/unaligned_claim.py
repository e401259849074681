"""A kernel compiled for arguments that are multiples of 16, launched with others; and launches that keep the promise."""

import torch
import triton
import triton.language as tl


@triton.jit
def copy(x, y, n, B: tl.constexpr):  # fault: bad_pointer_of_a_view bad_result_pointer bad_size
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + o, tl.load(x + o, mask=o < n, other=0.0), mask=o < n)


def _compiled(x, y):
    return copy.warmup(x, y, 992, B=256, grid=(1,))


def bad_pointer_of_a_view(x, i):
    y = torch.zeros_like(x)
    _compiled(x, y)[(4, 1, 1)](x[1:], y, 992, 256)
    return y


def bad_result_pointer(x, i):
    y = torch.zeros_like(x)
    _compiled(x, y)[(4, 1, 1)](x, y[3:], 992, 256)
    return y


def bad_size(x, i):
    y = torch.zeros_like(x)
    _compiled(x, y)[(4, 1, 1)](x, y, 999, 256)
    return y


def good_same_arguments(x, i):
    y = torch.zeros_like(x)
    _compiled(x, y)[(4, 1, 1)](x, y, 992, 256)
    return y


def good_view_at_a_multiple(x, i):
    y = torch.zeros_like(x)
    _compiled(x, y)[(4, 1, 1)](x[4:], y[8:], 976, 256)
    return y


def good_triton_specialises_itself(x, i):
    y = torch.zeros_like(x)
    copy[(4,)](x, y, 992, B=256)
    copy[(4,)](x[1:], y[3:], 995, B=256)
    return y


@triton.jit
def rows(x, y, stride, n, B: tl.constexpr):
    start = tl.multiple_of(tl.program_id(0) * stride, 8)  # fault: bad_row_start
    o = start + tl.arange(0, B)
    tl.store(y + o, tl.load(x + o, mask=o < n, other=0.0), mask=o < n)


@triton.jit
def blocks(x, y, shift, n, B: tl.constexpr):
    o = tl.program_id(0) * B + shift + tl.arange(0, B)
    o = tl.max_contiguous(tl.multiple_of(o % n, B), B)  # fault: bad_block_start
    tl.store(y + o, tl.load(x + o))


def bad_row_start(x, i):
    y = torch.zeros_like(x)
    rows[(7,)](x, y, 100, 1000, B=64)  # 100 is no multiple of 8
    return y


def bad_block_start(x, i):
    y = torch.zeros_like(x)
    blocks[(3,)](x, y, 4, 1000, B=256)
    return y


def good_row_start(x, i):
    y = torch.zeros_like(x)
    rows[(7,)](x, y, 104, 1000, B=64)
    return y


def good_block_start_that_wraps(x, i):
    y = torch.zeros_like(x)
    blocks[(4,)](x, y, 0, 1000, B=256)
    return y
