# task: fused_relu_sqrt
# style: the output is allocated by torch.empty_strided and as_strided views of it are handed to the kernel
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0).to(tl.float32)
    tl.store(y_ptr + i, tl.sqrt(tl.where(x < 0, 0.0, x)).to(y_ptr.dtype.element_ty), mask=i < n)


def row_major(shape):
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return strides[::-1]


def fused_relu_sqrt(input, inplace=False, out=None):
    x = input.contiguous()
    dtype = x.dtype if x.dtype.is_floating_point else torch.float32
    y = torch.empty_strided(x.shape, row_major(x.shape), dtype=dtype, device=x.device)
    n = x.numel()
    if n > 0:
        kernel[(triton.cdiv(n, 512),)](x, y.as_strided((n,), (1,)), n, BLOCK=512)
    if out is not None:
        return out.copy_(y)
    return input.copy_(y) if inplace else y
