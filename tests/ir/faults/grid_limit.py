"""Grids that no GPU launches, and the largest that it does."""

import torch
import triton
import triton.language as tl


@triton.jit
def mark(y, AXIS: tl.constexpr):
    if tl.program_id(AXIS) == 0:
        tl.store(y, 1.0)


def _launch(grid, axis):
    y = torch.zeros(1, device="cuda")
    mark[grid](y, AXIS=axis)  # fault: bad_rows_along_y bad_batch_along_z bad_too_many_along_x
    return y


def bad_rows_along_y(x, i):
    return _launch((1, 65536), 1)


def bad_batch_along_z(x, i):
    return _launch((1, 1, 70000), 2)


def bad_too_many_along_x(x, i):
    return _launch((2**31,), 0)


def good_largest_y(x, i):
    return _launch((1, 65535), 1)


def good_largest_z(x, i):
    return _launch((1, 1, 65535), 2)


def good_more_along_x(x, i):
    return _launch((70000,), 0)


def good_no_programs(x, i):
    return _launch((0,), 0)
