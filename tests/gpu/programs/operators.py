"""Sixteen operators of torch: the reference is recorded in the same way."""

import torch
import torch.nn.functional as F
from program import Program, normal, of


def indices(high, count):
    return lambda g: torch.randint(0, high, (count,), generator=g, device="cuda")


def same(run, inputs, expect=None, tolerance=1e-5, replays=True):
    return Program(run, inputs, run, expect or {"to_host": 0}, tolerance, replays)


def mlp(x, w1, b1, w2, b2):
    return F.linear(F.relu(F.linear(x, w1, b1)), w2, b2)


def index_add(x, i):
    return torch.zeros(1000, 64, device=x.device).index_add(0, i, x)


def foreach_add(*t):
    return torch._foreach_add(list(t[:8]), list(t[8:]), alpha=-0.1)


half = torch.float16
PROGRAMS = {
    "op_layer_norm": same(
        lambda x, w, b: F.layer_norm(x, (x.shape[-1],), w, b), of(normal(4096, 4096), normal(4096), normal(4096))
    ),
    "op_softmax": same(lambda x: torch.softmax(x, 1), of(normal(8192, 4096))),
    "op_gelu": same(F.gelu, of(normal(1 << 24))),
    "op_conv2d_f16": same(
        lambda x, w: F.conv2d(x, w, padding=1),
        of(normal(16, 64, 56, 56, dtype=half), normal(128, 64, 3, 3, dtype=half, scale=0.05)),
        tolerance=5e-2,
    ),
    "op_conv2d_f32": same(
        lambda x, w: F.conv2d(x, w, padding=1), of(normal(8, 64, 56, 56), normal(64, 64, 3, 3, scale=0.05)), tolerance=1e-2
    ),
    "op_sdpa": same(
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
        of(*[normal(2, 16, 1024, 64, dtype=half)] * 3),
        tolerance=2e-2,
    ),
    "op_cumsum": same(lambda x: torch.cumsum(x, 1), of(normal(512, 16384)), tolerance=1e-3),
    "op_sort": same(lambda x: torch.sort(x, dim=1), of(normal(64, 65536)), {"outputs": 2}),
    "op_sum": same(lambda x: x.sum(), of(normal(1 << 24)), tolerance=1e-1),
    "op_index_add": same(index_add, of(normal(100000, 64), indices(1000, 100000)), tolerance=1e-3),
    "op_cat": same(lambda a, b, c: torch.cat([a, b, c], 1), of(*[normal(2048, 300 + 7 * n) for n in range(3)])),
    "op_foreach_add": same(
        foreach_add, of(*[normal(1000 + 37 * n, 33) for n in range(8)], *[normal(1000 + 37 * n, 33) for n in range(8)]), {"outputs": 8}
    ),
    "op_mlp": same(
        mlp,
        of(normal(1024, 1024), normal(4096, 1024, scale=0.03), normal(4096), normal(1024, 4096, scale=0.02), normal(1024)),
        tolerance=1e-2,
    ),
    "op_batch_norm": same(
        lambda x, w, b: F.batch_norm(x, None, None, w, b, training=True), of(normal(32, 64, 56, 56), normal(64), normal(64)), tolerance=1e-4
    ),
    "op_max_pool": same(lambda x: F.max_pool2d(x, 3, 2, 1), of(normal(32, 64, 112, 112))),
    "op_nonzero": same(lambda x: torch.nonzero(x > 1.0), of(normal(1 << 16)), {"to_host": 1}, replays=False),
}
