# task: argmax
# style: heuristics compute meta-parameters from the arguments of each launch
import math

import torch
import triton
import triton.language as tl


@triton.heuristics({
    "BLOCK": lambda args: min(triton.next_power_of_2(args["n"]), 1024),
    "EVEN": lambda args: args["n"] % min(triton.next_power_of_2(args["n"]), 1024) == 0,
    "num_warps": lambda args: 8 if args["n"] > 512 else 2,
})
@triton.jit
def argmax_kernel(x_ptr, y_ptr, n, inner, FLOAT: tl.constexpr, EVEN: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    base = x_ptr + (pid // inner).to(tl.int64) * n * inner + pid % inner
    lanes = tl.arange(0, BLOCK)
    best = tl.load(base)
    where = tl.zeros((), tl.int64)
    best_nan = best != best
    for start in range(0, n, BLOCK):
        k = start + lanes
        if EVEN:
            x = tl.load(base + k.to(tl.int64) * inner)
        else:
            x = tl.load(base + k.to(tl.int64) * inner, mask=k < n, other=0)
        valid = k < n
        if FLOAT:
            nan_at = tl.min(tl.where(valid & (x != x), k, 2147483647))
            clean = tl.where(valid & (x == x), x.to(tl.float64), float("-inf"))
            top = tl.max(clean)
            top_at = tl.min(tl.where(valid & (clean == top), k, 2147483647))
            seen = best.to(tl.float64)
            if not best_nan:
                if nan_at < 2147483647:
                    where = nan_at.to(tl.int64)
                    best_nan = True
                elif (top > seen) & (top_at < 2147483647):
                    best = top.to(best.dtype)
                    where = top_at.to(tl.int64)
        else:
            wide = tl.where(valid, x.to(tl.int64), -9223372036854775807 - 1)
            top = tl.max(wide)
            top_at = tl.min(tl.where(valid & (wide == top), k, 2147483647))
            if top > best.to(tl.int64):
                best = top.to(best.dtype)
                where = top_at.to(tl.int64)
    tl.store(y_ptr + pid, where)


def argmax(input_tensor, dim, keepdim=False):
    x = input_tensor.contiguous()
    if dim is None:
        x, dim = x.view(-1), 0
        shape = ()
    else:
        dim %= x.dim()
        shape = x.shape[:dim] + ((1,) if keepdim else ()) + x.shape[dim + 1:]
    n, inner = x.shape[dim], math.prod(x.shape[dim + 1:])
    y = torch.empty(shape, dtype=torch.int64, device=x.device)
    if y.numel() > 0:
        argmax_kernel[(y.numel(),)](x, y, n, inner, FLOAT=x.dtype.is_floating_point)
    return y
