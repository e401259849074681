# task: sqrt_exp
# style: autotune around heuristics around jit, three decorators deep
import torch
import triton
import triton.language as tl


@triton.autotune([triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})], key=["n"])
@triton.heuristics(values={"MASKED": lambda a: a["n"] % a["BLOCK"] != 0})
@triton.jit
def kernel(src, dst, n, ACC: tl.constexpr, MASKED: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    if MASKED:
        x = tl.load(src + i, mask=i < n, other=1)
    else:
        x = tl.load(src + i)
    y = tl.exp(tl.sqrt(x.to(ACC))).to(dst.type.element_ty)
    if MASKED:
        tl.store(dst + i, y, mask=i < n)
    else:
        tl.store(dst + i, y)


def sqrt_exp(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    if (n := x.numel()) > 0:
        kernel[lambda m: (triton.cdiv(n, m["BLOCK"]),)](x, y, n, ACC=tl.float64 if x.dtype is torch.float64 else tl.float32)
    return y if out is None else out.copy_(y)
