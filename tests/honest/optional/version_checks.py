# task: erf
# style: version checks with packaging-like parsing, hasattr on triton.language, a fallback alias
import re

import torch
import triton
import triton.language as tl

_VERSION = tuple(int(p) for p in re.findall(r"\d+", triton.__version__)[:2])
if _VERSION < (2, 1):
    raise ImportError("triton >= 2.1 is needed")
HAS_DESCRIPTORS = hasattr(tl, "make_tensor_descriptor")
_next = getattr(triton, "next_power_of_2")
CUDA_MAJOR = int((torch.version.cuda or "12.0").split(".")[0])


@triton.jit
def erf_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.erf(x.to(ACC)).to(x.dtype), mask=i < n)


def erf(input_tensor):
    x = input_tensor.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n == 0:
        return y
    block = min(1024, max(32, _next(n)))
    warps = 8 if CUDA_MAJOR >= 12 and HAS_DESCRIPTORS else 4
    erf_kernel[(triton.cdiv(n, block),)](x, y, n, tl.float64 if x.dtype == torch.float64 else tl.float32, block, num_warps=warps)
    return y
