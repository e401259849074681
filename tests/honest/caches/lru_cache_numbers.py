# task: avg_pool1d
# style: functools.lru_cache and functools.cache on functions of numbers and dtypes
import functools

import torch
import triton
import triton.language as tl


@functools.lru_cache(maxsize=None)
def output_length(length, kernel_size, stride, padding):
    return (length + 2 * padding - kernel_size) // stride + 1


@functools.cache
def accumulator(dtype):
    return tl.float64 if dtype == torch.float64 else tl.float32


@triton.jit
def pool_kernel(x_ptr, y_ptr, total, L, LO, KS, stride, padding, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < total
    row = i // LO
    start = (i % LO) * stride - padding
    acc = tl.zeros((BLOCK,), ACC)
    for k in range(KS):
        at = start + k
        acc += tl.load(x_ptr + row * L + at, mask=mask & (at >= 0) & (at < L), other=0.0).to(ACC)
    tl.store(y_ptr + i, (acc / KS).to(y_ptr.dtype.element_ty), mask=mask)


def avg_pool1d(input, kernel_size, stride=None, padding=0):
    if isinstance(kernel_size, (tuple, list)):
        (kernel_size,) = kernel_size
    stride = kernel_size if stride is None else stride
    if isinstance(stride, (tuple, list)):
        (stride,) = stride
    if isinstance(padding, (tuple, list)):
        (padding,) = padding
    x = input.contiguous()
    length = output_length(x.shape[-1], kernel_size, stride, padding)
    y = torch.empty((*x.shape[:-1], length), dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        pool_kernel[(triton.cdiv(y.numel(), 256),)](
            x, y, y.numel(), x.shape[-1], length, kernel_size, stride, padding, ACC=accumulator(x.dtype), BLOCK=256)
    return y
