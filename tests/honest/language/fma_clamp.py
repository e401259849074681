# task: chebyshev_polynomial_t
# style: tl.fma, tl.clamp and tl.cumprod-free recurrences; a loop whose length is a constexpr
import torch
import triton
import triton.language as tl


@triton.jit
def chebyshev_kernel(x_ptr, y_ptr, n, DEGREE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    before = x * 0 + 1.0
    now = x
    if DEGREE == 0:
        now = tl.zeros_like(x) + 1.0
    else:
        for _ in range(DEGREE - 1):
            after = tl.fma(2.0 * x, now, -before)
            before = now
            now = after
    tl.store(y_ptr + i, now, mask=i < n)


@triton.jit
def zero_kernel(y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.zeros((BLOCK,), y_ptr.dtype.element_ty), mask=i < n)


def chebyshev_polynomial_t(input, n, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    count = x.numel()
    if count > 0:
        if n < 0:
            zero_kernel[(triton.cdiv(count, 512),)](y, count, BLOCK=512)
        else:
            chebyshev_kernel[(triton.cdiv(count, 512),)](x, y, count, DEGREE=int(n), BLOCK=512)
    return y if out is None else out.copy_(y)
