"""cos(x) and its sign bit in Triton: one read, two writes."""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def cos_signbit_kernel(x_ptr, cos_ptr, sign_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    cosine = tl.cos(tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC))
    tl.store(cos_ptr + offsets, cosine, mask=mask)
    tl.store(sign_ptr + offsets, cosine < 0, mask=mask)  # a cosine is never -0.0


def fused_cos_signbit(input):
    x = input.contiguous()
    cosine, sign = torch.empty_like(x), torch.empty_like(x, dtype=torch.bool)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        cos_signbit_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, cosine, sign, x.numel(), acc, BLOCK, num_warps=4)
    return cosine, sign
