# task: gelu
# style: autotune with a single configuration, heuristics that look at alignment by data_ptr() % 16, hints by tl.assume
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 512}, num_warps=4)], key=[])
@triton.heuristics({"ALIGNED": lambda args: args["x_ptr"].data_ptr() % 16 == 0 and args["y_ptr"].data_ptr() % 16 == 0})
@triton.jit
def gelu_kernel(x_ptr, y_ptr, n, TANH: tl.constexpr, ACC: tl.constexpr, ALIGNED: tl.constexpr, BLOCK: tl.constexpr):
    tl.assume(n > 0)
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if ALIGNED:
        i = tl.max_contiguous(i, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    if TANH:
        c = tl.minimum(tl.maximum(x, -40.0), 40.0)
        y = tl.where(x < -40.0, 0.0, x / (1.0 + tl.exp(-1.5957691216057308 * (c + 0.044715 * c * c * c))))
    else:
        y = 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))
    tl.store(y_ptr + i, y.to(y_ptr.dtype.element_ty), mask=i < n)


def gelu(input, approximate="none"):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        gelu_kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, x.numel(), TANH=approximate == "tanh", ACC=tl.float64 if x.dtype == torch.float64 else tl.float32)
    return y
