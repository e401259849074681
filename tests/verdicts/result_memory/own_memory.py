# task: permute_copy
# expect: correct
# The same with memory of its own for every order.
import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, y_ptr, count, n1, n2, n3, n4, s0, s1, s2, s3, s4, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    rest = at
    i4, rest = rest % n4, rest // n4
    i3, rest = rest % n3, rest // n3
    i2, rest = rest % n2, rest // n2
    i1, i0 = rest % n1, rest // n1
    x = tl.load(x_ptr + i0 * s0 + i1 * s1 + i2 * s2 + i3 * s3 + i4 * s4, mask=at < count)
    tl.store(y_ptr + at, x, mask=at < count)


def permute_copy(input, dims):
    order = [d % input.dim() for d in dims]
    y = torch.empty([input.shape[d] for d in order], dtype=input.dtype, device=input.device)
    if y.numel() > 0:
        sizes = [1] * (5 - len(order)) + list(y.shape)
        strides = [0] * (5 - len(order)) + [input.stride(d) for d in order]
        copy_kernel[(triton.cdiv(y.numel(), 1024),)](input, y, y.numel(), *sizes[1:], *strides, BLOCK=1024)
    return y
