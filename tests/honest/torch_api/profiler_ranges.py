# task: tanh
# style: ranges of torch's profiler around launches, pinned memory asked for, empty_permuted: operators that compute nothing
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def tanh_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, libdevice.tanh(x).to(y_ptr.dtype.element_ty), mask=i < n)


def tanh(input_tensor, out_tensor=None):
    with torch.profiler.record_function("tanh: memory"):
        x = input_tensor.contiguous()
        if x.is_pinned():
            raise ValueError("a tensor on the device was expected")
        y = torch.empty_permuted(x.shape, tuple(range(x.dim())), dtype=x.dtype, device=x.device)
    with torch.profiler.record_function("tanh: launch"):
        if x.numel() > 0:
            acc = tl.float64 if x.dtype == torch.float64 else tl.float32
            tanh_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), ACC=acc, BLOCK=1024)
    return y if out_tensor is None else out_tensor.copy_(y)
