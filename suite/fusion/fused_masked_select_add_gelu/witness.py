"""Select by a mask, add, GELU in Triton, in three steps.

Count the true flags of each block, turn the counts into each block's first place in the result, then compute what is
selected and store it there. The order is kept and nothing depends on which block runs first.
alpha is a constant of the kernel: as a plain argument it would be float32, also where the data are float64.
"""
import torch
import triton
import triton.language as tl

BLOCK = 2048


@triton.jit
def count_kernel(mask_ptr, counts_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    flags = tl.load(mask_ptr + offsets, mask=offsets < n, other=0)
    tl.store(counts_ptr + tl.program_id(0), tl.sum((flags != 0).to(tl.int32), axis=0))


@triton.jit
def starts_kernel(counts_ptr, starts_ptr, blocks, BLOCK: tl.constexpr):
    """One program: starts[b] = counts[0] + ... + counts[b - 1], and the total at starts[blocks]."""
    total = tl.zeros((), tl.int64)
    for first in range(0, blocks, BLOCK):
        offsets = first + tl.arange(0, BLOCK)
        counts = tl.load(counts_ptr + offsets, mask=offsets < blocks, other=0).to(tl.int64)
        tl.store(starts_ptr + offsets, total + tl.cumsum(counts, axis=0) - counts, mask=offsets < blocks)
        total += tl.sum(counts, axis=0)
    tl.store(starts_ptr + blocks, total)


@triton.jit
def select_gelu_kernel(x_ptr, mask_ptr, starts_ptr, other_ptr, y_ptr, n, alpha: tl.constexpr,
                       TANH: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    chosen = (tl.load(mask_ptr + offsets, mask=inside, other=0) != 0) & inside
    flags = chosen.to(tl.int32)
    places = tl.load(starts_ptr + tl.program_id(0)) + tl.cumsum(flags, axis=0) - flags
    z = tl.load(x_ptr + offsets, mask=chosen, other=0.0).to(ACC) + alpha * tl.load(other_ptr).to(ACC)
    if TANH:
        # 0.5 * (1 + tanh(u)) is the logistic function of 2 u; exp of a large number may overflow to inf, which gives 0.
        phi = 1.0 / (1.0 + tl.exp(-2.0 * 0.7978845608028654 * (z + 0.044715 * z * z * z)))
    else:
        phi = 0.5 * (1.0 + tl.erf(z * 0.7071067811865476))
    tl.store(y_ptr + places, z * phi, mask=chosen)


def fused_masked_select_add_gelu(input, mask, other, *, alpha=1, approximate="none", out=None):
    shape = torch.broadcast_shapes(input.shape, mask.shape)
    x, mask = input.expand(shape).contiguous(), mask.expand(shape).contiguous()
    n = x.numel()
    acc, acc_dtype = (tl.float64, torch.float64) if x.dtype == torch.float64 else (tl.float32, torch.float32)
    if not isinstance(other, torch.Tensor):
        other = torch.full((1,), float(other), dtype=acc_dtype, device=x.device)
    y = torch.empty(0, dtype=x.dtype, device=x.device)
    if n > 0:
        blocks = triton.cdiv(n, BLOCK)
        counts = torch.empty(blocks, dtype=torch.int32, device=x.device)
        starts = torch.empty(blocks + 1, dtype=torch.int64, device=x.device)
        count_kernel[(blocks,)](mask, counts, n, BLOCK, num_warps=8)
        starts_kernel[(1,)](counts, starts, blocks, 4096, num_warps=16)
        y = torch.empty(starts[blocks].item(), dtype=x.dtype, device=x.device)
        select_gelu_kernel[(blocks,)](
            x, mask, starts, other, y, n, float(alpha), TANH=approximate == "tanh", ACC=acc, BLOCK=BLOCK, num_warps=8
        )
    return y if out is None else out.copy_(y)
