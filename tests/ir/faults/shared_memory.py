"""Kernels that need more shared memory than the target has, and kernels that just fit. Compiled, never run."""

import torch
import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n, k = tl.arange(0, BM)[:, None], tl.arange(0, BN)[None, :], tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        left = tl.load(a + m * K + start + k[None, :])
        right = tl.load(b + (start + k[:, None]) * BN + n)
        acc = tl.dot(left, right, acc)
    tl.store(c + m * BN + n, acc)


def _run(tile, stages):
    bm, bn, bk = tile
    a, b = torch.zeros(bm, 512, dtype=torch.float16, device="cuda"), torch.zeros(512, bn, dtype=torch.float16, device="cuda")
    c = torch.zeros(bm, bn, device="cuda")
    matmul[(1,)](a, b, c, 512, BM=bm, BN=bn, BK=bk, num_stages=stages)
    return c


def bad_four_stages_of_large_tiles(x, i):
    return _run((128, 128, 128), 4)


def bad_five_stages(x, i):
    return _run((128, 128, 64), 8)


def bad_wide_tile(x, i):
    return _run((64, 256, 128), 4)


def good_three_stages(x, i):
    return _run((128, 128, 64), 3)


def good_small_tiles(x, i):
    return _run((64, 64, 32), 4)


def good_one_stage_of_large_tiles(x, i):
    return _run((128, 128, 64), 1)
