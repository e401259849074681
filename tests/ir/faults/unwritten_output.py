"""Results of torch.empty that no program wrote in full, and results that somebody else completed."""

import torch
import triton
import triton.language as tl


@triton.jit
def double(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o, mask=o < n, other=0.0)
    tl.store(y + o, v * 2.0, mask=o < n)  # fault: bad_grid_too_small bad_mask_too_small bad_one_of_two_results


@triton.jit
def columns(x, y, C: tl.constexpr, B: tl.constexpr):
    o = tl.program_id(0) * C + tl.arange(0, B)
    tl.store(y + o, tl.load(x + o))  # fault: bad_last_columns_missing


def bad_grid_too_small(x, i):
    y = torch.empty_like(x)
    double[(3,)](x, y, 1000, B=256)
    return y


def bad_mask_too_small(x, i):
    y = torch.empty_like(x)
    double[(4,)](x, y, 999, B=256)
    return y


def bad_last_columns_missing(x, i):
    y = torch.empty(20, 50, device="cuda")
    columns[(20,)](x, y, C=50, B=32)
    return y


def bad_one_of_two_results(x, i):
    y, z = torch.empty_like(x), torch.empty_like(x)
    double[(4,)](x, y, 1000, B=256)
    double[(1,)](x, z, 100, B=256)
    return y, z


def good_two_launches_fill_it(x, i):
    y = torch.empty_like(x)
    double[(2,)](x, y, 512, B=256)
    double[(2,)](x[512:], y[512:], 488, B=256)
    return y


def good_only_a_view_is_returned(x, i):
    y = torch.empty(2048, device="cuda")
    double[(4,)](x, y, 1000, B=256)
    return y[:1000]


def good_rest_filled_by_torch(x, i):
    y = torch.empty_like(x)
    double[(3,)](x, y, 768, B=256)
    y[768:] = 0.0
    return y


def good_columns_cut_off(x, i):
    y = torch.empty(20, 50, device="cuda")
    columns[(20,)](x, y, C=50, B=32)
    return y[:, :32]


def good_zeros_need_no_kernel(x, i):
    y = torch.zeros_like(x)
    double[(1,)](x, y, 10, B=256)
    return y
