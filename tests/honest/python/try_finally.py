# task: reciprocal
# style: try/finally with gc.collect() and nvtx ranges, exceptions that are re-raised with context
import gc

import torch
import triton
import triton.language as tl


@triton.jit
def reciprocal_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0).to(ACC)
    tl.store(y_ptr + i, (1.0 / x).to(y_ptr.dtype.element_ty), mask=i < n)


class LaunchError(RuntimeError):
    """What went wrong, with the shape that it went wrong for."""


def reciprocal(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    try:
        if x.numel() > 0:
            acc = tl.float64 if x.dtype == torch.float64 else tl.float32
            reciprocal_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), ACC=acc, BLOCK=512)
    except Exception as error:
        raise LaunchError(f"reciprocal of {tuple(x.shape)}") from error
    finally:
        if x.numel() > 2**31:
            gc.collect()
    return y if out is None else out.copy_(y)
