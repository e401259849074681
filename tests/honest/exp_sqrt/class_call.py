# task: exp_sqrt
# style: a class with __call__, a dataclass of settings, a module-level instance
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional

import torch
import triton
import triton.language as tl


@dataclass(frozen=True)
class Settings:
    block: int = 512
    warps: int = 4
    tags: tuple = field(default_factory=tuple)


@triton.jit
def _kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask).to(ACC)
    tl.store(y_ptr + offsets, tl.exp(0.5 * x), mask=mask)


class ExpSqrt:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def __call__(self, x: torch.Tensor, out: Optional[torch.Tensor] = None) -> torch.Tensor:
        src = x.contiguous()
        dst = torch.empty_like(src)
        n: int = src.numel()
        if n == 0:
            return dst if out is None else out
        acc = tl.float64 if src.dtype is torch.float64 else tl.float32
        grid = (triton.cdiv(n, self.settings.block),)
        _kernel[grid](src, dst, n, acc, self.settings.block, num_warps=self.settings.warps)
        if out is None:
            return dst
        return out.copy_(dst)


_op = ExpSqrt(Settings())


def exp_sqrt(input: torch.Tensor, out: Optional[torch.Tensor] = None) -> torch.Tensor:
    return _op(input, out)
