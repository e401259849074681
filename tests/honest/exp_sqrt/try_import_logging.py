# task: exp_sqrt
# style: logging, warnings, environment reads, version checks, optional imports
import logging
import os
import warnings

import torch
import triton
import triton.language as tl

try:
    import numpy as np
except ImportError:
    np = None
try:
    from triton.language.extra import libdevice
except ImportError:
    libdevice = None

logger = logging.getLogger(__name__)
warnings.filterwarnings("ignore", category=UserWarning)
BLOCK = int(os.environ.get("EXP_SQRT_BLOCK", "1024"))
HAS_TMA = torch.cuda.is_available() and torch.cuda.get_device_capability()[0] >= 9
NEW = tuple(int(p) for p in triton.__version__.split(".")[:2]) >= (3, 0)


@triton.jit
def kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, tl.sqrt(tl.exp(tl.load(x_ptr + offsets, mask=mask).to(ACC))), mask=mask)


def exp_sqrt(input, out=None):
    if not input.is_cuda:
        raise ValueError("CUDA tensors only")
    if input.dtype not in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        raise TypeError(f"unsupported dtype {input.dtype}")
    x = input.contiguous()
    y = torch.empty_like(x, memory_format=torch.contiguous_format)
    if x.numel() == 0:
        return y
    logger.debug("launch %s", x.shape)
    kernel[(triton.cdiv(x.numel(), BLOCK),)](x, y, x.numel(), tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK)
    if out is not None:
        out.copy_(y)
        return out
    return y
