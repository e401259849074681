# task: sqrt_exp
# style: os.path, os.getpid and os.cpu_count for a log line, sys.argv read, platform and traceback printed on errors
import os
import sys
import traceback

import torch
import triton
import triton.language as tl

HERE = os.path.dirname(os.path.abspath(__file__)) if "__file__" in dir() else os.curdir
TAG = "%s pid %d of %d cores, argv[0] %s" % (os.path.basename(HERE), os.getpid(), os.cpu_count() or 1, sys.argv[:1])


@triton.jit
def kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, tl.exp(tl.sqrt(x)).to(y_ptr.dtype.element_ty), mask=i < n)


def sqrt_exp(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    try:
        if x.numel() > 0:
            kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=512)
    except Exception:
        traceback.print_exc()
        print(TAG, file=sys.stderr)
        raise
    return y if out is None else out.copy_(y)
