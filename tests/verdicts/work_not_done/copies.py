# task: fused_svd_reconstruct
# expect: contract_violation
# Copies A and turns matrices with a NaN or an infinity into NaN: by values a reconstruction, without any decomposition.
import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(a_ptr, y_ptr, size, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * size
    bad = 0
    for first in range(0, size, BLOCK):
        at = first + tl.arange(0, BLOCK)
        a = tl.load(a_ptr + start + at, mask=at < size, other=0.0)
        bad = tl.maximum(bad, tl.max(tl.where(tl.abs(a) < float("inf"), 0, 1), axis=0))
    for first in range(0, size, BLOCK):
        at = first + tl.arange(0, BLOCK)
        a = tl.load(a_ptr + start + at, mask=at < size, other=0.0)
        tl.store(y_ptr + start + at, tl.where(bad > 0, float("nan"), a), mask=at < size)


def fused_svd_reconstruct(A):
    a = A.contiguous()
    y = torch.empty_like(a)
    if a.numel() > 0:
        size = a.shape[-2] * a.shape[-1]
        copy_kernel[(a.numel() // size,)](a, y, size, BLOCK=256)
    return y
