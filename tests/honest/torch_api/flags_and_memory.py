# task: erfc_sqrt
# style: torch.cuda memory queries, empty_cache, synchronize, get_device_capability, TF32 flags read
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

CAPABILITY = torch.cuda.get_device_capability() if torch.cuda.is_available() else (8, 0)
TF32 = torch.backends.cuda.matmul.allow_tf32  # only read


@triton.jit
def kernel(x_ptr, e_ptr, r_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(e_ptr + i, libdevice.erfc(x).to(e_ptr.dtype.element_ty), mask=i < n)
    tl.store(r_ptr + i, tl.sqrt(x).to(r_ptr.dtype.element_ty), mask=i < n)


def erfc_sqrt(input):
    x = input.contiguous()
    if torch.cuda.is_available() and torch.cuda.memory_allocated() > 2**40:
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        print(torch.cuda.memory_summary(abbreviated=True))
    if torch.cuda.memory_stats()["reserved_bytes.all.peak"] < torch.cuda.max_memory_allocated():
        raise RuntimeError("more was allocated than reserved")
    e, r = torch.empty_like(x), torch.empty_like(x)
    if x.numel() > 0:
        warps = 8 if CAPABILITY[0] >= 9 else 4
        kernel[(triton.cdiv(x.numel(), 1024),)](x, e, r, x.numel(), ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=1024, num_warps=warps)
    return e, r
