# task: fused_relu_sqrt
# style: an arena of bytes from torch.empty, carved into typed views by slicing and view(dtype); one part stays unused
import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, t_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0).to(tl.float32)
    tl.store(t_ptr + i, tl.where(x < 0, 0.0, x), mask=i < n)


@triton.jit
def sqrt_kernel(t_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.sqrt(tl.load(t_ptr + i, mask=i < n, other=0.0)).to(y_ptr.dtype.element_ty), mask=i < n)


def fused_relu_sqrt(input, inplace=False, out=None):
    x = input.contiguous()
    n = x.numel()
    arena = torch.empty((2 * n + 64,), dtype=torch.float32, device=x.device)
    t = arena.as_strided((n,), (1,), 16)
    y = torch.empty(x.shape, dtype=x.dtype if x.dtype.is_floating_point else torch.float32, device=x.device)
    if n > 0:
        relu_kernel[(triton.cdiv(n, 512),)](x, t, n, BLOCK=512)
        sqrt_kernel[(triton.cdiv(n, 512),)](t, y, n, BLOCK=512)
    if out is not None:
        return out.copy_(y)
    return input.copy_(y) if inplace else y
