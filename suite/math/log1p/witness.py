"""log(1 + x) in Triton, accurate for small x by a correction of the logarithm of the rounded 1 + x."""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def log1p_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=1.0).to(ACC)
    # u = fl(1 + x) has lost x - (u - 1). log(u) / (u - 1) hardly depends on u, so that times x makes up for it.
    u = 1.0 + x
    lost = (u == 1.0) | (u == float("inf"))  # log(1 + x) = x to every digit; or inf / inf
    y = tl.where(lost, x, tl.log(u) * (x / tl.where(lost, 1.0, u - 1.0)))
    tl.store(y_ptr + offsets, y, mask=mask)


def log1p(input, out=None):
    x = input.contiguous()
    y = out if out is not None and out.is_contiguous() else torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        log1p_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, y, x.numel(), acc, BLOCK, num_warps=4)
    return y if out is None or y is out else out.copy_(y)
