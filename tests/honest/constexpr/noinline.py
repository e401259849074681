# task: sqrt_tanh
# style: a noinline device function of scalars beside an inlined one of blocks
import torch
import triton
import triton.language as tl


@triton.jit(noinline=True)
def first_element(pid, size):
    return pid * size


@triton.jit
def tanh_of_small(r):
    s = r * r
    return r * (1 + s * (-1 / 3 + s * (2 / 15 + s * (-17 / 315 + s * (62 / 2835 + s * (-1382 / 155925))))))


@triton.jit
def kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = first_element(tl.program_id(0), BLOCK) + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    r = tl.sqrt(x)
    h = tanh_of_small(tl.where(r < 0.2, r, 0.0) * 0.5)
    near = 2 * h / (1 + h * h)
    e = tl.exp(-2 * r)
    y = tl.where(r < 0.2, near, (1 - e) / (1 + e))
    tl.store(y_ptr + i, y.to(y_ptr.dtype.element_ty), mask=i < n)


def sqrt_tanh(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=256)
    return y if out is None else out.copy_(y)
