import torch
import triton
import triton.language as tl


@triton.jit
def position_loss(x_ptr, t_ptr, w_ptr, loss_ptr, weight_ptr, C, S, ignore_index,
                  HAS_WEIGHT: tl.constexpr, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    # logits are (N, C, S); this program owns position (n, s)
    pos = tl.program_id(0).to(tl.int64)
    base = x_ptr + (pos // S) * C * S + pos % S
    acc_t = tl.float64 if WIDE else tl.float32
    biggest = tl.full((BLOCK,), float("-inf"), acc_t)
    for c0 in range(0, C, BLOCK):
        c = c0 + tl.arange(0, BLOCK)
        v = tl.load(base + c * S, mask=c < C, other=float("-inf")).to(acc_t)
        biggest = tl.maximum(biggest, v)
    top = tl.max(biggest, axis=0)
    total = tl.zeros((BLOCK,), acc_t)
    for c0 in range(0, C, BLOCK):
        c = c0 + tl.arange(0, BLOCK)
        v = tl.load(base + c * S, mask=c < C, other=float("-inf")).to(acc_t)
        total += tl.exp(v - top)
    t = tl.load(t_ptr + pos)
    if t == ignore_index:
        tl.store(loss_ptr + pos, 0.0)
        tl.store(weight_ptr + pos, 0.0)
    else:
        xt = tl.load(base + t * S).to(acc_t)
        nll = tl.log(tl.sum(total, axis=0)) - (xt - top)
        if HAS_WEIGHT:
            w = tl.load(w_ptr + t).to(acc_t)
            tl.store(loss_ptr + pos, nll * w)
            tl.store(weight_ptr + pos, w)
        else:
            tl.store(loss_ptr + pos, nll)
            tl.store(weight_ptr + pos, 1.0)


@triton.jit
def total_loss(loss_ptr, weight_ptr, out_ptr, n, MEAN: tl.constexpr, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    acc_t = tl.float64 if WIDE else tl.float32
    s = tl.zeros((BLOCK,), acc_t)
    w = tl.zeros((BLOCK,), acc_t)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        s += tl.load(loss_ptr + i, mask=i < n, other=0.0)
        w += tl.load(weight_ptr + i, mask=i < n, other=0.0)
    result = tl.sum(s, axis=0)
    if MEAN:
        result = result / tl.sum(w, axis=0)
    tl.store(out_ptr, result)


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean"):
    x = input.contiguous()
    t = target.contiguous()
    if x.dim() == 1:
        x = x.view(1, -1)
    N, C = x.shape[0], x.shape[1]
    S = 1
    for d in x.shape[2:]:
        S *= d
    n = N * S
    wide = x.dtype == torch.float64
    acc = torch.float64 if wide else torch.float32
    per_position = reduction == "none"
    loss = torch.empty(target.shape, dtype=x.dtype if per_position else acc, device=x.device)
    weights = torch.empty((max(n, 1),), dtype=acc, device=x.device)
    w = weight.contiguous() if weight is not None else None
    if n > 0:
        block = min(1024, triton.next_power_of_2(C))
        position_loss[(n,)](x, t, w, loss, weights, C, S, ignore_index,
                            HAS_WEIGHT=w is not None, WIDE=wide, BLOCK=block)
    if per_position:
        return loss
    out = torch.empty((), dtype=x.dtype, device=x.device)
    total_loss[(1,)](loss, weights, out, n, MEAN=reduction == "mean", WIDE=wide, BLOCK=1024)
    return out
