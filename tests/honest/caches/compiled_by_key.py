# task: rsqrt
# style: a dictionary of compiled launchers keyed by dtype and alignment (data_ptr is only taken modulo 16)
import torch
import triton
import triton.language as tl


@triton.jit
def rsqrt_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0).to(ACC)
    tl.store(y_ptr + i, (1.0 / tl.sqrt(x)).to(y_ptr.dtype.element_ty), mask=i < n)


_launchers = {}


def launcher(dtype, aligned):
    """A launcher for one dtype; wide blocks where the loads can be vectorized."""
    key = (dtype, aligned)
    if key not in _launchers:
        acc = tl.float64 if dtype == torch.float64 else tl.float32
        block = 1024 if aligned else 256
        _launchers[key] = lambda x, y, n: rsqrt_kernel[(triton.cdiv(n, block),)](x, y, n, ACC=acc, BLOCK=block)
    return _launchers[key]


def rsqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        launcher(x.dtype, x.data_ptr() % 16 == 0)(x, y, x.numel())
    return y if out is None else out.copy_(y)
