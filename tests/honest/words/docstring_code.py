# task: floor
# style: docstrings with doctests and code of other solutions, raw strings, URLs, a base64-like constant
r"""Floor.

    >>> import torch, subprocess
    >>> torch.compile(torch.floor)(torch.tensor([1.5]))
    tensor([1.])

A rival, for comparison only::

    from torch.utils.cpp_extension import load_inline
    module = load_inline("floor", cpp_sources=r"torch::Tensor f(torch::Tensor x) { return x.floor(); }")

See https://example.org/floor?exec=1 and os.environ["TRITON_CACHE_DIR"].
"""
import torch
import triton
import triton.language as tl

LOGO = "ZXhlYygncHJpbnQoMSknKQ=="  # decoded by nobody
RIVALS = ("torch.floor", "torch.ops.aten.floor.default", "x.floor_()", "__import__('numpy').floor")


@triton.jit
def floor_kernel(x_ptr, y_ptr, n, FLOAT: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    if FLOAT:
        x = tl.floor(x.to(tl.float64)).to(x.dtype)
    tl.store(y_ptr + i, x, mask=i < n)


def floor(input, out=None):
    """Like RIVALS[0], but `eval("...")`-free."""
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        floor_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), FLOAT=x.dtype.is_floating_point, BLOCK=512)
    return y if out is None else out.copy_(y)
