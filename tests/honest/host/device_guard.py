# task: cos
# style: device guards: torch.cuda.device around the launch, is_cuda and get_device checks
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def cos_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, libdevice.cos(x).to(y_ptr.dtype.element_ty), mask=i < n)


def cos(input_tensor):
    assert input_tensor.is_cuda, "a CUDA tensor is needed"
    x = input_tensor if input_tensor.is_contiguous() else input_tensor.contiguous()
    y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    if x.numel() == 0:
        return y
    acc = tl.float64 if x.dtype == torch.float64 else tl.float32
    with torch.cuda.device(x.device):
        cos_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), ACC=acc, BLOCK=512)
    return y
