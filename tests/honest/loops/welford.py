# task: std
# style: Welford's combination as a tl.reduce with a combine function of three values; while loops
import torch
import triton
import triton.language as tl


@triton.jit
def combine(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
    n = n_a + n_b
    delta = mean_b - mean_a
    part = tl.where(n > 0, n_b / tl.where(n > 0, n, 1.0), 0.0)
    return mean_a + delta * part, m2_a + m2_b + delta * delta * n_a * part, n


@triton.jit
def std_kernel(x_ptr, y_ptr, n, correction, ACC: tl.constexpr, BLOCK: tl.constexpr):
    row = x_ptr + tl.program_id(0).to(tl.int64) * n
    k = tl.arange(0, BLOCK)
    origin = tl.load(row + 0 * k, mask=k < n, other=0.0).to(ACC)  # near the data: what is left is small
    mean = tl.zeros((BLOCK,), ACC)
    m2 = tl.zeros((BLOCK,), ACC)
    count = tl.zeros((BLOCK,), ACC)
    start = 0
    while start < n:
        valid = start + k < n
        x = tl.load(row + start + k, mask=valid, other=0.0).to(ACC) - origin
        x = tl.where(valid, x, 0.0)
        one = valid.to(ACC)
        mean, m2, count = combine(mean, m2, count, x, tl.zeros((BLOCK,), ACC), one)
        start += BLOCK
    _, total, _ = tl.reduce((mean, m2, count), 0, combine)
    free = n - correction
    y = tl.where(free > 0, tl.sqrt(total / tl.maximum(free, 1)), float("nan"))
    tl.store(y_ptr + tl.program_id(0), y.to(y_ptr.dtype.element_ty))


def std(input, dim=None, correction=1, keepdim=False, out=None):
    x = input
    dims = list(range(x.dim())) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    dims = sorted(d % x.dim() for d in dims) if x.dim() else []
    kept = [d for d in range(x.dim()) if d not in dims]
    shape = [1 if d in dims else s for d, s in enumerate(x.shape) if keepdim or d not in dims]
    n = 1
    for d in dims:
        n *= x.shape[d]
    y = torch.empty(shape, dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        flat = x.permute(kept + dims).contiguous()
        std_kernel[(y.numel(),)](flat, y, n, correction, ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=256)
    return y if out is None else out.copy_(y)
