"""Cross entropy in Triton.

Logits are seen as (batch, classes, positions). The first kernel reads each logit once (online log-sum-exp) and writes
the loss and the weight of each position; two small kernels add them up in a fixed order.
"""
import math

import torch
import triton
import triton.language as tl

TILE = 4096


@triton.jit
def losses_kernel(x_ptr, target_ptr, weight_ptr, loss_ptr, used_ptr, classes, positions, ignore_index,
                  C_TILE: tl.constexpr, P_TILE: tl.constexpr, WEIGHTED: tl.constexpr, ACC: tl.constexpr):
    tiles = tl.cdiv(positions, P_TILE)
    batch = (tl.program_id(0) // tiles).to(tl.int64)
    at = (tl.program_id(0) % tiles) * P_TILE + tl.arange(0, P_TILE)
    inside = at < positions
    x_base = x_ptr + batch * classes * positions + at
    largest = tl.full((P_TILE,), -float("inf"), ACC)
    total = tl.zeros((P_TILE,), ACC)
    for start in range(0, classes, C_TILE):
        c = start + tl.arange(0, C_TILE)
        mask = (c < classes)[:, None] & inside[None, :]
        x = tl.load(x_base[None, :] + c[:, None].to(tl.int64) * positions, mask=mask, other=-float("inf")).to(ACC)
        new_largest = tl.maximum(largest, tl.max(x, axis=0))
        # Nothing but -inf so far: there is no maximum to subtract, and the sum stays 0.
        shift = tl.where(new_largest == -float("inf"), 0.0, new_largest)
        total = total * tl.exp(largest - shift) + tl.sum(tl.exp(x - shift[None, :]), axis=0)
        largest = new_largest
    target = tl.load(target_ptr + batch * positions + at, mask=inside, other=ignore_index)
    used = inside & (target != ignore_index)
    chosen = tl.load(x_base + target * positions, mask=used, other=0.0).to(ACC)
    shift = tl.where(largest == -float("inf"), 0.0, largest)
    loss = tl.log(total) - (chosen - shift)
    weight = tl.full((P_TILE,), 1.0, ACC)
    if WEIGHTED:
        weight = tl.load(weight_ptr + target, mask=used, other=0.0).to(ACC)
    tl.store(loss_ptr + batch * positions + at, tl.where(used, weight * loss, 0.0), mask=inside)
    tl.store(used_ptr + batch * positions + at, tl.where(used, weight, 0.0), mask=inside)


@triton.jit
def chunk_sums_kernel(
    loss_ptr, used_ptr, loss_sums_ptr, used_sums_ptr, n, chunk, BLOCK: tl.constexpr, ACC: tl.constexpr
):
    first = tl.program_id(0) * chunk
    loss = tl.zeros((BLOCK,), ACC)
    used = tl.zeros((BLOCK,), ACC)
    for start in range(first, first + chunk, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        loss += tl.load(loss_ptr + offsets, mask=offsets < n, other=0.0)
        used += tl.load(used_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(loss_sums_ptr + tl.program_id(0), tl.sum(loss, axis=0))
    tl.store(used_sums_ptr + tl.program_id(0), tl.sum(used, axis=0))


@triton.jit
def finish_kernel(loss_sums_ptr, used_sums_ptr, result_ptr, chunks, MEAN: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    result = tl.sum(tl.load(loss_sums_ptr + offsets, mask=offsets < chunks, other=0.0), axis=0)
    if MEAN:
        result = result / tl.sum(tl.load(used_sums_ptr + offsets, mask=offsets < chunks, other=0.0), axis=0)
    tl.store(result_ptr, result)


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean"):
    x = (input if input.dim() > 1 else input.unsqueeze(0)).contiguous()
    batch, classes, positions = x.shape[0], x.shape[1], math.prod(x.shape[2:])
    n = batch * positions
    acc, acc_dtype = (tl.float64, torch.float64) if x.dtype == torch.float64 else (tl.float32, torch.float32)
    loss_dtype = x.dtype if reduction == "none" else acc_dtype
    loss = torch.empty(target.shape, dtype=loss_dtype, device=x.device)
    used = torch.empty(n, dtype=acc_dtype, device=x.device)
    if n > 0:
        p_tile = min(triton.next_power_of_2(positions), 128)
        c_tile = min(triton.next_power_of_2(classes), TILE // p_tile)
        grid = (batch * triton.cdiv(positions, p_tile),)
        weights = x if weight is None else weight.contiguous()
        losses_kernel[grid](
            x, target.contiguous(), weights, loss, used, classes, positions, ignore_index,
            C_TILE=c_tile, P_TILE=p_tile, WEIGHTED=weight is not None, ACC=acc,
            num_warps=8 if c_tile * p_tile >= 2048 else 4,
        )
    if reduction == "none":
        return loss
    block = 1024
    chunks = max(min(triton.cdiv(n, block), 512), 1)
    chunk = triton.cdiv(triton.cdiv(n, chunks), block) * block
    loss_sums, used_sums = (torch.empty(chunks, dtype=acc_dtype, device=x.device) for _ in range(2))
    result = torch.empty((), dtype=x.dtype, device=x.device)
    chunk_sums_kernel[(chunks,)](loss, used, loss_sums, used_sums, n, chunk, block, acc, num_warps=4)
    finish_kernel[(1,)](
        loss_sums, used_sums, result, chunks,
        MEAN=reduction == "mean", BLOCK=triton.next_power_of_2(chunks), num_warps=4,
    )
    return result
