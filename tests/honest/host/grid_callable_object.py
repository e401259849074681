# task: reciprocal
# style: the grid is an object with __call__, a subclass of a protocol
from typing import Protocol

import torch
import triton
import triton.language as tl


class Grid(Protocol):
    def __call__(self, meta: dict) -> tuple: ...


class Linear:
    def __init__(self, n: int):
        self.n = n

    def __call__(self, meta):
        return (triton.cdiv(self.n, meta["BLOCK"]), 1, 1)


@triton.jit
def reciprocal_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0).to(ACC)
    tl.store(y_ptr + i, (1.0 / x).to(y_ptr.dtype.element_ty), mask=i < n)


def reciprocal(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        grid: Grid = Linear(x.numel())
        reciprocal_kernel[grid](x, y, x.numel(), ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=1024)
    return y if out is None else out.copy_(y)
