# task: log1p
# style: try/except around an optional import, and the flag that it sets chooses between two Triton formulas
import torch
import triton
import triton.language as tl

try:
    from triton.language.extra.cuda import libdevice
    HAVE_LIBDEVICE = True
except (ImportError, AttributeError):  # other back ends
    libdevice = None
    HAVE_LIBDEVICE = False


if HAVE_LIBDEVICE:
    @triton.jit
    def _log1p(x):
        return libdevice.log1p(x)
else:
    @triton.jit
    def _log1p(x):
        u = 1.0 + x
        return tl.where(u == 1.0, x, tl.log(u) * x / (u - 1.0))


@triton.jit
def log1p_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, _log1p(x).to(y_ptr.dtype.element_ty), mask=i < n)


def log1p(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel():
        log1p_kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=256)
    return y if out is None else out.copy_(y)
