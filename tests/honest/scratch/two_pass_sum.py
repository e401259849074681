# task: mean
# style: two passes: partial sums of every row into torch.empty scratch, then one program a row
import torch
import triton
import triton.language as tl


@triton.jit
def partial_kernel(x_ptr, t_ptr, n, parts, ACC: tl.constexpr, BLOCK: tl.constexpr):
    row, part = tl.program_id(0) // parts, tl.program_id(0) % parts
    k = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row.to(tl.int64) * n + k, mask=k < n, other=0).to(ACC)
    tl.store(t_ptr + row * parts + part, tl.sum(x, 0))


@triton.jit
def finish_kernel(t_ptr, y_ptr, n, parts, ACC: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), ACC)
    for start in range(0, parts, BLOCK):
        k = start + tl.arange(0, BLOCK)
        acc += tl.load(t_ptr + row * parts + k, mask=k < parts, other=0)
    tl.store(y_ptr + row, (tl.sum(acc, 0) / n).to(y_ptr.dtype.element_ty))


def mean(input_tensor, dim, keepdim=False, dtype=None, out=None):
    x = input_tensor
    dims = list(range(x.dim())) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    dims = sorted(d % x.dim() for d in dims) if x.dim() else []
    kept = [d for d in range(x.dim()) if d not in dims]
    shape = [1 if d in dims else s for d, s in enumerate(x.shape) if keepdim or d not in dims]
    rows, n = 1, 1
    for d in kept:
        rows *= x.shape[d]
    for d in dims:
        n *= x.shape[d]
    dtype = dtype or (out.dtype if out is not None else x.dtype)
    if n == 0:
        result = torch.full(shape, float("nan"), dtype=dtype, device=x.device)
        return result if out is None else out.copy_(result)
    flat = x.permute(kept + dims).contiguous()
    wide = torch.float64 in (x.dtype, dtype)
    result = torch.empty(shape, dtype=dtype, device=x.device)
    if rows > 0:
        parts = triton.cdiv(n, 512)
        scratch = torch.empty((rows, parts), dtype=torch.float64 if wide else torch.float32, device=x.device)
        acc = tl.float64 if wide else tl.float32
        partial_kernel[(rows * parts,)](flat, scratch, n, parts, ACC=acc, BLOCK=512)
        finish_kernel[(rows,)](scratch, result, n, parts, ACC=acc, BLOCK=64)
    return result if out is None else out.copy_(result)
