# task: exp_sqrt
# style: autotune with a pre-hook; warmup before the first launch; print debugging
import torch
import triton
import triton.language as tl

VERBOSE = True


def clear(nargs):
    nargs["y_ptr"].zero_()


@triton.autotune(configs=[triton.Config({"BLOCK": 512}, num_warps=4, pre_hook=clear)], key=["n"])
@triton.jit
def kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
    tl.store(y_ptr + offsets, tl.exp(x * 0.5), mask=mask)


@triton.jit
def plain(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=offsets < n), mask=offsets < n)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        plain.warmup(x, y, n, BLOCK=256, grid=(1,))
        kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n, tl.float64 if x.dtype == torch.float64 else tl.float32)
        if VERBOSE:
            print(f"exp_sqrt: {tuple(x.shape)} {x.dtype} {x.device}", y.flatten()[:3], flush=True)
    if out is not None:
        out.copy_(y)
        return out
    return y
