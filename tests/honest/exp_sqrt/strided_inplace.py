# task: exp_sqrt
# style: no copies: strides are passed, the output is written where it lies
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, n, s1, s2, s3, xs0, xs1, xs2, xs3, ys0, ys1, ys2, ys3, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    i3 = i % s3
    i2 = (i // s3) % s2
    i1 = (i // (s3 * s2)) % s1
    i0 = i // (s3 * s2 * s1)
    x = tl.load(x_ptr + i0 * xs0 + i1 * xs1 + i2 * xs2 + i3 * xs3, mask=mask).to(ACC)
    tl.store(y_ptr + i0 * ys0 + i1 * ys1 + i2 * ys2 + i3 * ys3, tl.exp(x * 0.5), mask=mask)


def four(t):
    pad = 4 - t.dim()
    return [1] * pad + list(t.shape), [0] * pad + list(t.stride())


def exp_sqrt(input, *, out=None):
    y = out if out is not None else torch.empty(input.shape, dtype=input.dtype, device=input.device)
    n = input.numel()
    if n == 0:
        return y
    shape, xs = four(input)
    _, ys = four(y)
    acc = tl.float64 if input.dtype == torch.float64 else tl.float32
    kernel[(triton.cdiv(n, 256),)](input, y, n, *shape[1:], *xs, *ys, ACC=acc, BLOCK=256)
    return y
