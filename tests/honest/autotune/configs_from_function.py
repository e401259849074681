# task: addmm
# style: configurations made by nested loops with a product of many choices, pruned by shared memory and by size
import itertools

import torch
import triton
import triton.language as tl


def make_configs():
    for bm, bn, bk, warps, stages in itertools.product((16, 32, 64), (16, 32), (16, 32), (2, 4), (2, 3)):
        yield triton.Config({"BM": bm, "BN": bn, "BK": bk}, num_warps=warps, num_stages=stages)


def drop_wasteful(configs, named_args, **meta):
    """At most one configuration a shape of tile, and no tile twice as high as the matrix."""
    seen, kept = set(), []
    for config in configs:
        tile = (config.kwargs["BM"], config.kwargs["BN"])
        if tile not in seen and tile[0] <= max(16, 2 * named_args["M"]) and len(kept) < 3:
            seen.add(tile)
            kept.append(config)
    return kept


@triton.autotune(configs=list(make_configs()), key=["M", "N", "K"], prune_configs_by={"early_config_prune": drop_wasteful})
@triton.jit
def addmm_kernel(i_ptr, a_ptr, b_ptr, c_ptr, M, N, K, im, in_, am, ak, bk, bn, alpha, beta,
                 USE_INPUT: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        ks = k + tl.arange(0, BK)
        a = tl.load(a_ptr + rows[:, None] * am + ks[None, :] * ak, mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)
        b = tl.load(b_ptr + ks[:, None] * bk + cols[None, :] * bn, mask=(ks[:, None] < K) & (cols[None, :] < N), other=0.0)
        acc += tl.dot(a, b, input_precision="ieee")
    inside = (rows[:, None] < M) & (cols[None, :] < N)
    acc = acc * alpha
    if USE_INPUT:
        acc += beta * tl.load(i_ptr + rows[:, None] * im + cols[None, :] * in_, mask=inside, other=0.0).to(tl.float32)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc.to(c_ptr.dtype.element_ty), mask=inside)


def addmm(input, mat1, mat2, beta=1, alpha=1, out=None):
    M, K = mat1.shape
    N = mat2.shape[1]
    bias = input.expand(M, N)
    result = torch.empty((M, N), dtype=mat1.dtype, device=mat1.device)
    if result.numel() > 0:
        grid = lambda meta: (triton.cdiv(M, meta["BM"]), triton.cdiv(N, meta["BN"]))
        addmm_kernel[grid](bias, mat1, mat2, result, M, N, K, *bias.stride(), *mat1.stride(), *mat2.stride(),
                           float(alpha), float(beta), USE_INPUT=beta != 0)
    return result if out is None else out.copy_(result)
