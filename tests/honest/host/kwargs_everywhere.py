# task: asin
# style: every argument of the launch by keyword, in another order, with options of the compiler
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def asin_kernel(x_ptr, y_ptr, n_elements, ACC: tl.constexpr, BLOCK_SIZE: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    x = tl.load(pointer=x_ptr + offs, mask=offs < n_elements, other=0.0)
    tl.store(pointer=y_ptr + offs, value=libdevice.asin(x.to(ACC)).to(x.dtype), mask=offs < n_elements)


def asin(input_tensor):
    src = input_tensor.contiguous()
    dst = torch.empty_like(src)
    options = {"num_warps": 4, "num_stages": 2, "maxnreg": 128}
    arguments = dict(n_elements=src.numel(), y_ptr=dst, x_ptr=src, BLOCK_SIZE=256)
    if arguments["n_elements"]:
        asin_kernel[lambda META: (triton.cdiv(META["n_elements"], META["BLOCK_SIZE"]),)](
            **arguments, ACC={torch.float64: tl.float64}.get(src.dtype, tl.float32), **options)
    return dst
