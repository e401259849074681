# task: logspace
# style: a singleton with __new__, __getattr__ and __repr__; the launch goes through a property
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def logspace_kernel(y_ptr, n, START: tl.constexpr, STEP: tl.constexpr, BASE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    e = tl.full((BLOCK,), START, tl.float64) + i.to(tl.float64) * tl.full((BLOCK,), STEP, tl.float64)
    y = libdevice.pow(tl.full((BLOCK,), BASE, tl.float64), e)
    tl.store(y_ptr + i, y.to(y_ptr.dtype.element_ty), mask=i < n)


class Engine:
    _instance = None

    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __getattr__(self, name):
        if name == "block":
            return 256
        raise AttributeError(name)

    def __repr__(self):
        return f"<{type(self).__name__} block={self.block}>"

    @property
    def launch(self):
        return lambda y, *args: logspace_kernel[(triton.cdiv(y.numel(), self.block),)](y, y.numel(), *args, BLOCK=self.block)


def logspace(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    y = torch.empty(steps, dtype=dtype or torch.get_default_dtype(), device=device or "cuda")
    if steps > 0:
        step = (float(end) - float(start)) / (steps - 1) if steps > 1 else 0.0
        Engine().launch(y, float(start), step, float(base))
    return y.requires_grad_() if requires_grad else y
