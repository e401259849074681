# task: log
# style: imports inside functions, __future__ and typing imports, TYPE_CHECKING
from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Union

import torch
import triton
import triton.language as tl

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Launcher = Callable[[Sequence[torch.Tensor]], None]

Number = Union[int, float]


@triton.jit
def log_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0).to(ACC)
    tl.store(y_ptr + i, tl.log(x).to(y_ptr.dtype.element_ty), mask=i < n)


def blocks(n: int, block: Number) -> int:
    import math
    return math.ceil(n / block)


def log(input: torch.Tensor, out: Optional[torch.Tensor] = None) -> torch.Tensor:
    from operator import mul
    from functools import reduce
    x = input.contiguous()
    y = torch.empty_like(x)
    n = reduce(mul, x.shape, 1)
    if n > 0:
        log_kernel[(blocks(n, 512),)](x, y, n, ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=512)
    return y if out is None else out.copy_(y)
