# task: rad2deg_sqrt
# style: abstract base classes, a metaclass that collects subclasses, __init_subclass__, super() calls
import abc

import torch
import triton
import triton.language as tl


class Collector(abc.ABCMeta):
    known = []

    def __new__(mcls, name, bases, body, **options):
        cls = super().__new__(mcls, name, bases, body, **options)
        mcls.known.append(cls)
        return cls


@triton.jit
def degrees_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, (x * tl.full((BLOCK,), 57.29577951308232, ACC)).to(y_ptr.dtype.element_ty), mask=i < n)


@triton.jit
def root_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, tl.sqrt(x).to(y_ptr.dtype.element_ty), mask=i < n)


class Operator(metaclass=Collector):
    def __init_subclass__(cls, kernel=None, **options):
        super().__init_subclass__(**options)
        cls.kernel = kernel

    @property
    @abc.abstractmethod
    def block(self):
        ...

    def __call__(self, x):
        y = torch.empty_like(x)
        if x.numel() > 0:
            acc = tl.float64 if x.dtype == torch.float64 else tl.float32
            type(self).kernel[(triton.cdiv(x.numel(), self.block),)](x, y, x.numel(), ACC=acc, BLOCK=self.block)
        return y


class Degrees(Operator, kernel=degrees_kernel):
    block = 512


class Root(Operator, kernel=root_kernel):
    block = 256


def rad2deg_sqrt(input):
    x = input.contiguous()
    return tuple(cls()(x) for cls in Collector.known[1:])
