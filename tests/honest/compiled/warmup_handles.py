# task: softmax
# style: the tutorial's persistent softmax: warmup(), registers and shared memory of the compiled kernel, occupancy
import math

import torch
import triton
import triton.language as tl
from triton.runtime import driver


@triton.jit
def softmax_kernel(x_ptr, y_ptr, slices, n, inner, ACC: tl.constexpr, BLOCK: tl.constexpr, num_stages: tl.constexpr):
    k = tl.arange(0, BLOCK)
    for s in tl.range(tl.program_id(0), slices, tl.num_programs(0), num_stages=num_stages):
        base = (s // inner).to(tl.int64) * n * inner + s % inner
        x = tl.load(x_ptr + base + k * inner, mask=k < n, other=float("-inf")).to(ACC)
        e = tl.exp(x - tl.max(x, 0))
        tl.store(y_ptr + base + k * inner, (e / tl.sum(e, 0)).to(y_ptr.dtype.element_ty), mask=k < n)


kernels = {}


def shape_of(x, block):
    """Stages and warps: a second row is only fetched ahead where it fits into half of the shared memory."""
    try:
        shared = driver.active.utils.get_device_properties(x.device.index or 0)["max_shared_mem"]
    except (AttributeError, KeyError, RuntimeError):
        shared = 0
    return 2 if 2 * block * x.element_size() <= shared else 1, 4 if block <= 4096 else 16


def programs(x, y, n, inner, acc, block, slices, stages, warps):
    """How many programs fit on the card at once: by registers and shared memory of the kernel that was compiled."""
    key = (x.dtype, y.dtype, block, acc)
    if key not in kernels:
        try:
            properties = driver.active.utils.get_device_properties(x.device.index or 0)
            kernel = softmax_kernel.warmup(x, y, slices, n, inner, ACC=acc, BLOCK=block, num_stages=stages, num_warps=warps, grid=(1,))
            kernel._init_handles()
            by_registers = properties["max_num_regs"] // max(kernel.n_regs * 32 * warps, 1)
            by_shared = properties["max_shared_mem"] // max(kernel.metadata.shared, 1)
            kernels[key] = properties["multiprocessor_count"] * max(1, min(by_registers, by_shared))
        except (AttributeError, KeyError, RuntimeError, TypeError):
            kernels[key] = 132
    return min(kernels[key], slices)


def softmax(input, dim, dtype=None):
    dtype = dtype or input.dtype
    x = input.contiguous()
    dim %= x.dim()
    y = torch.empty(x.shape, dtype=dtype, device=x.device)
    if x.numel() == 0:
        return y
    n, inner = x.shape[dim], math.prod(x.shape[dim + 1:])
    acc = tl.float64 if torch.float64 in (x.dtype, dtype) else tl.float32
    block, slices = triton.next_power_of_2(n), x.numel() // n
    stages, warps = shape_of(x, block)
    count = programs(x, y, n, inner, acc, block, slices, stages, warps)
    softmax_kernel[(count,)](x, y, slices, n, inner, ACC=acc, BLOCK=block, num_stages=stages, num_warps=warps)
    return y
