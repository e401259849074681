# task: permute_copy
# style: no copy before the kernel: shapes and strides of up to five dimensions travel as arguments
import torch
import triton
import triton.language as tl


@triton.jit(do_not_specialize=["s1", "s2", "s3", "s4"])
def gather_kernel(x_ptr, y_ptr, n, s1, s2, s3, s4, t0, t1, t2, t3, t4, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    rest = i
    at = (rest % s4) * t4
    rest //= s4
    at += (rest % s3) * t3
    rest //= s3
    at += (rest % s2) * t2
    rest //= s2
    at += (rest % s1) * t1
    at += (rest // s1) * t0
    tl.store(y_ptr + i, tl.load(x_ptr + at, mask=mask, other=0), mask=mask)


def permute_copy(input, dims):
    view = input.permute(*dims) if input.dim() else input
    y = torch.empty(tuple(view.shape), dtype=view.dtype, device=view.device)
    pad = 5 - view.dim()
    sizes, strides = [1] * pad + list(view.shape), [0] * pad + list(view.stride())
    if y.numel() > 0:
        gather_kernel[(triton.cdiv(y.numel(), 512),)](view, y, y.numel(), *sizes[1:], *strides, BLOCK=512)
    return y
