"""Cross entropy of log-softmax scores in Triton.

The cross entropy normalizes its scores along the classes itself, and normalizing twice changes nothing: with dim = 1
one kernel that reads each logit once (online log-sum-exp) is enough. For another dim a first kernel writes the
log-softmax. Programs add up the losses of their positions; a last program adds these sums in a fixed order.
"""
import math

import torch
import triton
import triton.language as tl

TILE = 4096


@triton.jit
def log_softmax_kernel(
    x_ptr, y_ptr, lanes, length, inner, D_TILE: tl.constexpr, P_TILE: tl.constexpr, ACC: tl.constexpr
):
    """x seen as (outer, length, inner); a lane is one (outer, inner) pair, normalized over its length."""
    at = tl.program_id(0).to(tl.int64) * P_TILE + tl.arange(0, P_TILE)
    base = (at // inner) * length * inner + at % inner
    largest = tl.full((P_TILE,), -float("inf"), ACC)
    total = tl.zeros((P_TILE,), ACC)
    for start in range(0, length, D_TILE):
        d = start + tl.arange(0, D_TILE)
        mask = (d < length)[:, None] & (at < lanes)[None, :]
        x = tl.load(x_ptr + base[None, :] + d[:, None] * inner, mask=mask, other=-float("inf")).to(ACC)
        new_largest = tl.maximum(largest, tl.max(x, axis=0))
        shift = tl.where(new_largest == -float("inf"), 0.0, new_largest)
        total = total * tl.exp(largest - shift) + tl.sum(tl.exp(x - shift[None, :]), axis=0)
        largest = new_largest
    log_total = tl.log(total)
    for start in range(0, length, D_TILE):
        d = start + tl.arange(0, D_TILE)
        mask = (d < length)[:, None] & (at < lanes)[None, :]
        x = tl.load(x_ptr + base[None, :] + d[:, None] * inner, mask=mask, other=0.0).to(ACC)
        tl.store(y_ptr + base[None, :] + d[:, None] * inner, x - largest[None, :] - log_total[None, :], mask=mask)


@triton.jit
def losses_kernel(
    x_ptr, target_ptr, weight_ptr, loss_ptr, used_ptr, lanes, classes, inner, ignore_index, smoothing, smoothing_low,
    C_TILE: tl.constexpr, P_TILE: tl.constexpr, WEIGHTED: tl.constexpr, SMOOTH: tl.constexpr, ADD: tl.constexpr,
    ACC: tl.constexpr,
):
    """x seen as (batch, classes, inner). ADD: one sum of losses and one of weights a program, else a loss a lane."""
    at = tl.program_id(0).to(tl.int64) * P_TILE + tl.arange(0, P_TILE)
    inside = at < lanes
    base = (at // inner) * classes * inner + at % inner
    largest = tl.full((P_TILE,), -float("inf"), ACC)
    total = tl.zeros((P_TILE,), ACC)
    below = tl.zeros((P_TILE,), ACC)  # sum of weight[c] * (x[c] - largest)
    weights = tl.zeros((P_TILE,), ACC)
    for start in range(0, classes, C_TILE):
        c = start + tl.arange(0, C_TILE)
        mask = (c < classes)[:, None] & inside[None, :]
        x = tl.load(x_ptr + base[None, :] + c[:, None] * inner, mask=mask, other=-float("inf")).to(ACC)
        new_largest = tl.maximum(largest, tl.max(x, axis=0))
        shift = tl.where(new_largest == -float("inf"), 0.0, new_largest)
        total = total * tl.exp(largest - shift) + tl.sum(tl.exp(x - shift[None, :]), axis=0)
        if SMOOTH:
            w = tl.where(c < classes, 1.0, 0.0).to(ACC)
            if WEIGHTED:
                w = tl.load(weight_ptr + c, mask=c < classes, other=0.0).to(ACC)
            below += tl.where(weights > 0, weights * (largest - shift), 0.0)
            below += tl.sum(tl.where(mask, w[:, None] * (x - shift[None, :]), 0.0), axis=0)
            weights += tl.sum(w, axis=0)
        largest = new_largest
    target = tl.load(target_ptr + at, mask=inside, other=ignore_index)
    used = inside & (target != ignore_index)
    chosen = tl.load(x_ptr + base + target * inner, mask=used, other=0.0).to(ACC)
    shift = tl.where(largest == -float("inf"), 0.0, largest)
    weight = tl.full((P_TILE,), 1.0, ACC)
    if WEIGHTED:
        weight = tl.load(weight_ptr + target, mask=used, other=0.0).to(ACC)
    loss = weight * (tl.log(total) - (chosen - shift))
    if SMOOTH:
        share = smoothing.to(ACC) + smoothing_low
        loss = (1.0 - share) * loss + share / classes * (weights * tl.log(total) - below)
    loss = tl.where(used, loss, 0.0)
    if ADD:
        tl.store(loss_ptr + tl.program_id(0), tl.sum(loss, axis=0))
        tl.store(used_ptr + tl.program_id(0), tl.sum(tl.where(used, weight, 0.0), axis=0))
    else:
        tl.store(loss_ptr + at, loss, mask=inside)


@triton.jit
def finish_kernel(losses_ptr, used_ptr, result_ptr, n, MEAN: tl.constexpr, BLOCK: tl.constexpr, ACC: tl.constexpr):
    loss = tl.zeros((BLOCK,), ACC)
    used = tl.zeros((BLOCK,), ACC)
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        loss += tl.load(losses_ptr + offsets, mask=offsets < n, other=0.0)
        used += tl.load(used_ptr + offsets, mask=offsets < n, other=0.0)
    result = tl.sum(loss, axis=0)
    if MEAN:
        result = result / tl.sum(used, axis=0)
    tl.store(result_ptr, result)


def tiles(length, inner, lanes):
    """Sizes of a tile of (length, lanes): long along the direction that is contiguous."""
    if inner == 1:
        d_tile = min(triton.next_power_of_2(length), TILE)
        return d_tile, min(triton.next_power_of_2(lanes), TILE // d_tile)
    p_tile = min(triton.next_power_of_2(lanes), 128)
    return min(triton.next_power_of_2(length), TILE // p_tile), p_tile


def parts(number):
    """A number as the sum of two that are exact as kernel arguments, which are float32."""
    mantissa, exponent = math.frexp(number)
    high = math.ldexp(round(math.ldexp(mantissa, 24)), exponent - 24)
    return high, number - high


def log_softmax(x, dim, acc, acc_dtype):
    y = torch.empty(x.shape, dtype=acc_dtype, device=x.device)
    length, inner = x.shape[dim], math.prod(x.shape[dim + 1:])
    if x.numel() > 0:
        lanes = x.numel() // length
        d_tile, p_tile = tiles(length, inner, lanes)
        log_softmax_kernel[(triton.cdiv(lanes, p_tile),)](
            x, y, lanes, length, inner, D_TILE=d_tile, P_TILE=p_tile, ACC=acc, num_warps=4
        )
    return y


def fused_cross_entropy_log_softmax(
    input, target, dim=1, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0
):
    x = input.contiguous()
    dim = dim % x.dim()
    acc, acc_dtype = (tl.float64, torch.float64) if x.dtype == torch.float64 else (tl.float32, torch.float32)
    if dim != 1:
        x = log_softmax(x, dim, acc, acc_dtype)
    classes, inner, lanes = x.shape[1], math.prod(x.shape[2:]), target.numel()
    c_tile, p_tile = tiles(classes, inner, max(lanes, 1))
    programs = triton.cdiv(lanes, p_tile)
    add = reduction != "none"
    loss = torch.empty(
        (programs,) if add else target.shape, dtype=acc_dtype if add else input.dtype, device=x.device
    )
    used = torch.empty((programs,), dtype=acc_dtype, device=x.device)
    if lanes > 0:
        losses_kernel[(programs,)](
            x, target.contiguous(), x if weight is None else weight.contiguous(), loss, used, lanes, classes, inner,
            ignore_index, *parts(label_smoothing), C_TILE=c_tile, P_TILE=p_tile, WEIGHTED=weight is not None,
            SMOOTH=label_smoothing > 0, ADD=add, ACC=acc, num_warps=8 if c_tile * p_tile >= 2048 else 4,
        )
    if not add:
        return loss
    result = torch.empty((), dtype=input.dtype, device=x.device)
    block = min(triton.next_power_of_2(max(programs, 1)), 4096)
    finish_kernel[(1,)](loss, used, result, programs, MEAN=reduction == "mean", BLOCK=block, ACC=acc, num_warps=8)
    return result
