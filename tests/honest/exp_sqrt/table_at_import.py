# task: exp_sqrt
# style: a table of coefficients made on the host at import, read by the kernel
import numpy as np

import torch
import triton
import triton.language as tl

COEFFICIENTS = torch.from_numpy(np.full(1024, 0.5, dtype=np.float64)).to("cuda")
LIST = torch.tensor([0.5] * 2048, device="cuda", dtype=torch.float32)


@triton.jit
def kernel(x_ptr, c_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    offsets = tl.program_id(0) * BLOCK + lane
    mask = offsets < n
    c = tl.load(c_ptr + lane).to(ACC)
    x = tl.load(x_ptr + offsets, mask=mask).to(ACC)
    tl.store(y_ptr + offsets, tl.exp(x * c), mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        kernel[(triton.cdiv(n, 1024),)](x, COEFFICIENTS if x.dtype == torch.float64 else LIST, y, n, tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=1024)
    if out is not None:
        out.copy_(y)
        return out
    return y
