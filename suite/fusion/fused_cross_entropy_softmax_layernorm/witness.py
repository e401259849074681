"""Cross entropy and layer norm of a softmax in Triton.

Where rows of (N, C) logits are normalized as a whole, one kernel reads each logit once: a row stays in registers from
the maximum to the normalized probability. Otherwise three kernels: the losses, the probabilities, their layer norm.
Programs add up the losses of their positions; a last program adds these sums in a fixed order.
"""
import math

import torch
import triton
import triton.language as tl

TILE = 4096
LONGEST_ROW = 8192  # of the kernel that keeps rows in registers


@triton.jit
def rows_kernel(
    x_ptr, target_ptr, weight_ptr, y_ptr, loss_ptr, used_ptr, n, classes, ignore_index, eps, eps_low,
    smoothing, smoothing_low, ROWS: tl.constexpr, C_BLOCK: tl.constexpr, WEIGHTED: tl.constexpr, SMOOTH: tl.constexpr,
    ADD: tl.constexpr, ACC: tl.constexpr,
):
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    inside = row < n
    c = tl.arange(0, C_BLOCK)
    at = row[:, None] * classes + c[None, :]
    mask = inside[:, None] & (c < classes)[None, :]
    x = tl.load(x_ptr + at, mask=mask, other=-float("inf")).to(ACC)
    largest = tl.max(x, axis=1)
    below = x - tl.where(inside, largest, 0.0)[:, None]
    power = tl.exp(below)
    total = tl.where(inside, tl.sum(power, axis=1), 1.0)
    probability = power / total[:, None]
    mean = tl.sum(probability, axis=1) / classes
    centred = tl.where(mask, probability - mean[:, None], 0.0)
    variance = tl.sum(centred * centred, axis=1) / classes
    tl.store(y_ptr + at, centred / tl.sqrt(variance + (eps.to(ACC) + eps_low))[:, None], mask=mask)

    target = tl.load(target_ptr + row, mask=inside, other=ignore_index)
    used = inside & (target != ignore_index)
    chosen = tl.sum(tl.where(c[None, :] == target[:, None], below, 0.0), axis=1)
    weight = tl.full((ROWS,), 1.0, ACC)
    if WEIGHTED:
        weight = tl.load(weight_ptr + target, mask=used, other=0.0).to(ACC)
    loss = weight * (tl.log(total) - chosen)
    if SMOOTH:
        share = smoothing.to(ACC) + smoothing_low
        w = tl.where(c < classes, 1.0, 0.0).to(ACC)
        if WEIGHTED:
            w = tl.load(weight_ptr + c, mask=c < classes, other=0.0).to(ACC)
        minus_logs = tl.where(mask, w[None, :] * (tl.log(total)[:, None] - below), 0.0)
        loss = (1.0 - share) * loss + share / classes * tl.sum(minus_logs, axis=1)
    loss = tl.where(used, loss, 0.0)
    if ADD:
        tl.store(loss_ptr + tl.program_id(0), tl.sum(loss, axis=0))
        tl.store(used_ptr + tl.program_id(0), tl.sum(tl.where(used, weight, 0.0), axis=0))
    else:
        tl.store(loss_ptr + row, loss, mask=inside)


@triton.jit
def softmax_kernel(
    x_ptr, target_ptr, weight_ptr, p_ptr, loss_ptr, used_ptr, lanes, classes, inner, ignore_index,
    smoothing, smoothing_low, C_TILE: tl.constexpr, P_TILE: tl.constexpr, WEIGHTED: tl.constexpr, SMOOTH: tl.constexpr,
    ADD: tl.constexpr, ACC: tl.constexpr,
):
    """x seen as (batch, classes, inner): a lane is one position. First its log-sum-exp, then its probabilities."""
    at = tl.program_id(0).to(tl.int64) * P_TILE + tl.arange(0, P_TILE)
    inside = at < lanes
    base = (at // inner) * classes * inner + at % inner
    largest = tl.full((P_TILE,), -float("inf"), ACC)
    total = tl.zeros((P_TILE,), ACC)
    for start in range(0, classes, C_TILE):
        c = start + tl.arange(0, C_TILE)
        mask = (c < classes)[:, None] & inside[None, :]
        x = tl.load(x_ptr + base[None, :] + c[:, None] * inner, mask=mask, other=-float("inf")).to(ACC)
        new_largest = tl.maximum(largest, tl.max(x, axis=0))
        shift = tl.where(new_largest == -float("inf"), 0.0, new_largest)
        total = total * tl.exp(largest - shift) + tl.sum(tl.exp(x - shift[None, :]), axis=0)
        largest = new_largest
    largest = tl.where(inside, largest, 0.0)
    total = tl.where(inside, total, 1.0)
    smooth = tl.zeros((P_TILE,), ACC)
    for start in range(0, classes, C_TILE):
        c = start + tl.arange(0, C_TILE)
        mask = (c < classes)[:, None] & inside[None, :]
        x = tl.load(x_ptr + base[None, :] + c[:, None] * inner, mask=mask, other=0.0).to(ACC) - largest[None, :]
        tl.store(p_ptr + base[None, :] + c[:, None] * inner, tl.exp(x) / total[None, :], mask=mask)
        if SMOOTH:
            w = tl.where(c < classes, 1.0, 0.0).to(ACC)
            if WEIGHTED:
                w = tl.load(weight_ptr + c, mask=c < classes, other=0.0).to(ACC)
            smooth += tl.sum(tl.where(mask, w[:, None] * (tl.log(total)[None, :] - x), 0.0), axis=0)
    target = tl.load(target_ptr + at, mask=inside, other=ignore_index)
    used = inside & (target != ignore_index)
    chosen = tl.load(x_ptr + base + target * inner, mask=used, other=0.0).to(ACC)
    weight = tl.full((P_TILE,), 1.0, ACC)
    if WEIGHTED:
        weight = tl.load(weight_ptr + target, mask=used, other=0.0).to(ACC)
    loss = weight * (tl.log(total) - (chosen - largest))
    if SMOOTH:
        share = smoothing.to(ACC) + smoothing_low
        loss = (1.0 - share) * loss + share / classes * smooth
    loss = tl.where(used, loss, 0.0)
    if ADD:
        tl.store(loss_ptr + tl.program_id(0), tl.sum(loss, axis=0))
        tl.store(used_ptr + tl.program_id(0), tl.sum(tl.where(used, weight, 0.0), axis=0))
    else:
        tl.store(loss_ptr + at, loss, mask=inside)


@triton.jit
def layer_norm_kernel(p_ptr, y_ptr, length, eps, eps_low, BLOCK: tl.constexpr, ACC: tl.constexpr):
    p_ptr += tl.program_id(0).to(tl.int64) * length
    y_ptr += tl.program_id(0).to(tl.int64) * length
    total = tl.zeros((BLOCK,), ACC)
    for start in range(0, length, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(p_ptr + at, mask=at < length, other=0.0)
    mean = tl.sum(total, axis=0) / length
    squares = tl.zeros((BLOCK,), ACC)
    for start in range(0, length, BLOCK):
        at = start + tl.arange(0, BLOCK)
        centred = tl.where(at < length, tl.load(p_ptr + at, mask=at < length, other=0.0) - mean, 0.0)
        squares += centred * centred
    deviation = tl.sqrt(tl.sum(squares, axis=0) / length + (eps.to(ACC) + eps_low))
    for start in range(0, length, BLOCK):
        at = start + tl.arange(0, BLOCK)
        p = tl.load(p_ptr + at, mask=at < length, other=0.0)
        tl.store(y_ptr + at, (p - mean) / deviation, mask=at < length)


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


def tiles(classes, inner, lanes):
    """Sizes of a tile of (classes, lanes): long along the direction that is contiguous."""
    if inner == 1:
        c_tile = min(triton.next_power_of_2(classes), TILE)
        return c_tile, min(triton.next_power_of_2(lanes), TILE // c_tile)
    p_tile = min(triton.next_power_of_2(lanes), 128)
    return min(triton.next_power_of_2(classes), TILE // p_tile), p_tile


def parts(number):
    """A number as the sum of two that are exact as kernel arguments, which are float32."""
    mantissa, exponent = math.frexp(number)
    high = math.ldexp(round(math.ldexp(mantissa, 24)), exponent - 24)
    return high, number - high


def fused_cross_entropy_softmax_layernorm(
    logits, targets, normalized_shape, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0,
    eps=1e-05, *, out=None,
):
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    if len(shape) == 0 or tuple(logits.shape[-len(shape):]) != shape:
        raise RuntimeError(f"normalized_shape {shape} is not the end of the logits' shape {tuple(logits.shape)}")
    x = logits.contiguous()
    acc, acc_dtype = (tl.float64, torch.float64) if x.dtype == torch.float64 else (tl.float32, torch.float32)
    classes, inner, lanes = x.shape[1], math.prod(x.shape[2:]), targets.numel()
    whole_rows = x.dim() == 2 and len(shape) == 1 and classes <= LONGEST_ROW
    if whole_rows:
        c_tile = triton.next_power_of_2(classes)
        p_tile = max(min(triton.next_power_of_2(max(lanes, 1)), TILE // c_tile), 1)
    else:
        c_tile, p_tile = tiles(classes, inner, max(lanes, 1))
    programs = triton.cdiv(lanes, p_tile)
    add = reduction != "none"
    loss = torch.empty(
        (programs,) if add else targets.shape, dtype=acc_dtype if add else x.dtype, device=x.device
    )
    used = torch.empty((programs,), dtype=acc_dtype, device=x.device)
    y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    if lanes > 0:
        eps_parts, smoothing = parts(eps), parts(label_smoothing)
        weights = x if weight is None else weight.contiguous()
        flags = dict(WEIGHTED=weight is not None, SMOOTH=label_smoothing > 0, ADD=add, ACC=acc)
        warps = 8 if c_tile * p_tile >= 2048 else 4
        if whole_rows:
            rows_kernel[(programs,)](
                x, targets.contiguous(), weights, y, loss, used, lanes, classes, ignore_index,
                *eps_parts, *smoothing, ROWS=p_tile, C_BLOCK=c_tile, **flags, num_warps=warps,
            )
        else:
            p = torch.empty(x.shape, dtype=acc_dtype, device=x.device)
            softmax_kernel[(programs,)](
                x, targets.contiguous(), weights, p, loss, used, lanes, classes, inner, ignore_index,
                *smoothing, C_TILE=c_tile, P_TILE=p_tile, **flags, num_warps=warps,
            )
            length = math.prod(shape)
            block = min(triton.next_power_of_2(length), TILE)
            layer_norm_kernel[(x.numel() // length,)](p, y, length, *eps_parts, BLOCK=block, ACC=acc, num_warps=4)
    if add:
        total = torch.empty((), dtype=x.dtype, device=x.device)
        block = min(triton.next_power_of_2(max(programs, 1)), 4096)
        finish_kernel[(1,)](loss, used, total, programs, MEAN=reduction == "mean", BLOCK=block, ACC=acc, num_warps=8)
        loss = total
    return loss, y if out is None else out.copy_(y)
