# task: kl_div
# style: a table of functools.partial objects chooses the kernel of a reduction
import functools

import torch
import triton
import triton.language as tl


@triton.jit
def divergence(x, t, LOG: tl.constexpr):
    if LOG:
        return tl.exp(t) * (t - x)
    safe = tl.where(t > 0, t, 1.0)
    return tl.where(t > 0, t * (tl.log(safe) - x), tl.where(t == 0, t * x * 0, t * float("nan")))


@triton.jit
def each_kernel(x_ptr, t_ptr, y_ptr, n, LOG: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    t = tl.load(t_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, divergence(x, t, LOG).to(y_ptr.dtype.element_ty), mask=i < n)


@triton.jit
def sum_kernel(x_ptr, t_ptr, y_ptr, n, count, LOG: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), ACC)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
        t = tl.load(t_ptr + i, mask=i < n, other=0.0).to(ACC)
        acc += tl.where(i < n, divergence(x, t, LOG), 0.0)
    tl.store(y_ptr, (tl.sum(acc) / count).to(y_ptr.dtype.element_ty))


def run_each(x, t, log):
    y = torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        each_kernel[(triton.cdiv(x.numel(), 512),)](x, t, y, x.numel(), LOG=log, ACC=acc, BLOCK=512)
    return y


def run_sum(count, x, t, log):
    y = torch.empty((), dtype=x.dtype, device=x.device)
    acc = tl.float64 if x.dtype == torch.float64 else tl.float32
    sum_kernel[(1,)](x, t, y, x.numel(), count(x), LOG=log, ACC=acc, BLOCK=1024)
    return y


def kl_div(input, target, reduction="batchmean", log_target=False):
    shape = torch.broadcast_shapes(input.shape, target.shape)
    x, t = input.expand(shape).contiguous(), target.expand(shape).contiguous()
    table = {
        "none": run_each,
        "sum": functools.partial(run_sum, lambda x: 1),
        "mean": functools.partial(run_sum, lambda x: x.numel()),
        "batchmean": functools.partial(run_sum, lambda x: input.shape[0]),
    }
    return table[reduction](x, t, log_target)
