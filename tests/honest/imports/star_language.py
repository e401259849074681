# task: signbit
# style: star import of triton.language (which has abs, max, min, range, ...), names used bare
import torch
import triton
from triton import jit
from triton.language import *
from triton.language import constexpr as const


@jit
def signbit_kernel(x_ptr, y_ptr, n, UNSIGNED: const, BLOCK: const):
    i = program_id(0) * BLOCK + arange(0, BLOCK)
    x = load(x_ptr + i, mask=i < n, other=0)
    if UNSIGNED:
        y = zeros((BLOCK,), int8)
    else:
        y = (x < 0).to(int8)
    store(y_ptr + i, y, mask=i < n)


def signbit(input, out=None):
    x = input.contiguous()
    if x.dtype.is_floating_point:
        x = x.view({2: torch.int16, 4: torch.int32, 8: torch.int64}[x.element_size()])
    y = torch.empty(x.shape, dtype=torch.bool, device=x.device)
    if x.numel() > 0:
        signbit_kernel[(triton.cdiv(x.numel(), 512),)](x, y.view(torch.int8), x.numel(), UNSIGNED=x.dtype in (torch.uint8, torch.bool), BLOCK=512)
    return y if out is None else out.copy_(y)
