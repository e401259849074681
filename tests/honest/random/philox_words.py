# task: rand
# style: tl.randint4x, counters, a seed on the device from the caller's generator; no torch.rand
import torch
import triton
import triton.language as tl


@triton.jit
def uniform_kernel(seed_ptr, y_ptr, n, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    seed = tl.load(seed_ptr)
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    w0, w1, w2, w3 = tl.randint4x(seed, i)
    if WIDE:
        high = (w0.to(tl.uint32, bitcast=True) >> 5).to(tl.float64)
        low = (w1.to(tl.uint32, bitcast=True) >> 6).to(tl.float64)
        u = (high * 67108864.0 + low) / 9007199254740992.0
    else:
        u = (w2.to(tl.uint32, bitcast=True) >> 8).to(tl.float32) / 16777216.0
    tl.store(y_ptr + i, u, mask=i < n)


def rand(*size, generator=None, out=None, dtype=None, device=None, requires_grad=False):
    if len(size) == 1 and not isinstance(size[0], int):
        size = tuple(size[0])
    dtype = out.dtype if out is not None else dtype or torch.get_default_dtype()
    device = out.device if out is not None else device or "cuda"
    y = torch.empty(size, dtype=dtype, device=device)
    seed = torch.empty(1, dtype=torch.int64, device=device)
    seed.random_(0, 2**31 - 1, generator=generator)
    if y.numel() > 0:
        uniform_kernel[(triton.cdiv(y.numel(), 256),)](seed, y, y.numel(), WIDE=dtype == torch.float64, BLOCK=256)
    if out is not None:
        out.copy_(y)
        y = out
    return y.requires_grad_() if requires_grad else y
