# task: fused_svd_reconstruct
# expect: contract_violation
# Copies A as well, and computes a little: the sum of zeros is NaN where a number is not finite. A decomposition needs far more.
import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(a_ptr, y_ptr, size, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * size + tl.arange(0, BLOCK)
    mask = tl.arange(0, BLOCK) < size
    a = tl.load(a_ptr + at, mask=mask, other=0.0)
    tl.store(y_ptr + at, a * 1.0 + tl.sum(a * 0.0, axis=0), mask=mask)


def fused_svd_reconstruct(A):
    a = A.contiguous()
    y = torch.empty_like(a)
    if a.numel() > 0:
        size = a.shape[-2] * a.shape[-1]
        copy_kernel[(a.numel() // size,)](a, y, size, BLOCK=triton.next_power_of_2(size))
    return y
