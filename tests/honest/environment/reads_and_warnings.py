# task: trunc
# style: environment reads, a warnings filter, logging with handlers, platform checks
import logging
import os
import platform
import sys
import warnings

import torch
import triton
import triton.language as tl

warnings.simplefilter("ignore", UserWarning)
log = logging.getLogger("trunc")
log.addHandler(logging.StreamHandler(sys.stderr))
log.setLevel(os.getenv("TRUNC_LOG", "WARNING"))
BLOCK = int(os.environ.get("TRUNC_BLOCK", 256))
DEBUG = os.environ.get("TRUNC_DEBUG", "0") == "1"
if platform.system() == "Windows" or sys.version_info < (3, 8):
    warnings.warn("untested here", RuntimeWarning, stacklevel=2)


@triton.jit
def trunc_kernel(x_ptr, y_ptr, n, FLOAT: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    if FLOAT:
        wide = x.to(tl.float64)
        x = tl.where(wide < 0, -tl.floor(-wide), tl.floor(wide)).to(x.dtype)
    tl.store(y_ptr + i, x, mask=i < n)


def trunc(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    log.debug("trunc of %s, %s", tuple(x.shape), x.dtype)
    if DEBUG:
        print("trunc", x.shape, x.stride(), file=sys.stderr)
    if x.numel() > 0:
        trunc_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, y, x.numel(), FLOAT=x.dtype.is_floating_point, BLOCK=BLOCK)
    return y if out is None else out.copy_(y)
