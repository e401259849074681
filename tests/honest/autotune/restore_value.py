# task: leaky_relu
# style: autotune of a kernel that works in place: restore_value gives the input back after every trial
import torch
import triton
import triton.language as tl


@triton.autotune(
    configs=[triton.Config({"BLOCK": 512}, num_warps=4), triton.Config({"BLOCK": 1024}, num_warps=8)],
    key=["n"],
    restore_value=["x_ptr"],
)
@triton.jit
def leaky_kernel(x_ptr, n, SLOPE: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
    slope = tl.full((BLOCK,), SLOPE, ACC)
    tl.store(x_ptr + offsets, tl.where(x > 0, x, x * slope), mask=mask)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    # The kernel overwrites what it reads: without inplace it is given a copy.
    work = input if inplace and input.is_contiguous() else torch.empty(input.shape, dtype=input.dtype, device=input.device).copy_(input)
    n = work.numel()
    if n:
        acc = tl.float64 if work.dtype == torch.float64 else tl.float32
        leaky_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](work, n, SLOPE=negative_slope, ACC=acc)
    if inplace and work is not input:
        input.copy_(work)
        return input
    return work
