# task: fused_tile_exp
# style: generators and zip(*...) on the host work out shapes; the kernel divides and takes remainders
import torch
import triton
import triton.language as tl


@triton.jit
def tile_kernel(x_ptr, y_ptr, outer, reps, row, ACC: tl.constexpr, BLOCK: tl.constexpr):
    # One step of tiling: (outer, row) becomes (outer, reps, row).
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = outer * reps * row
    at = i // (reps * row) * row + i % row
    x = tl.load(x_ptr + at, mask=i < total, other=0.0)
    tl.store(y_ptr + i, x, mask=i < total)


@triton.jit
def exp_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, tl.exp(x).to(y_ptr.dtype.element_ty), mask=i < n)


def steps(sizes, reps):
    """For every dimension that is repeated, from the last one on: how many outer parts, repeats and elements of a part."""
    row = 1
    for k in range(len(sizes) - 1, -1, -1):
        outer = 1
        for s in sizes[:k]:
            outer *= s
        row *= sizes[k]
        if reps[k] > 1:
            yield outer, reps[k], row
        row *= reps[k]


def fused_tile_exp(input, dims, *, out=None):
    rank = max(input.dim(), len(dims))
    sizes = [1] * (rank - input.dim()) + list(input.shape)
    reps = [1] * (rank - len(dims)) + list(dims)
    x = input.contiguous()
    acc = tl.float64 if x.dtype == torch.float64 else tl.float32
    y = torch.empty_like(x)
    if x.numel() > 0:
        exp_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), ACC=acc, BLOCK=512)
        for outer, r, row in steps(sizes, reps):
            wider = torch.empty(outer * r * row, dtype=x.dtype, device=x.device)
            tile_kernel[(triton.cdiv(wider.numel(), 512),)](y, wider, outer, r, row, ACC=acc, BLOCK=512)
            y = wider
    y = y.view([s * r for s, r in zip(sizes, reps)])
    return y if out is None else out.copy_(y)
