# task: gelu_fp16
# style: launch options: num_ctas, enable_fp_fusion, do_not_specialize, debug, a repr for the profiler
import torch
import triton
import triton.language as tl


def kernel_name(specialization):
    return "gelu_fp16_" + str(specialization.constants.get("BLOCK", ""))


@triton.jit(do_not_specialize=["n"], repr=kernel_name)
def gelu_kernel(x_ptr, y_ptr, n, TANH: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    if TANH:
        c = tl.minimum(tl.maximum(x, -40.0), 40.0)
        y = x / (1.0 + tl.exp(-1.5957691216057308 * (c + 0.044715 * c * c * c)))
        y = tl.where(x < -40.0, 0.0, y)
    else:
        y = 0.5 * x * (1.0 + tl.erf(0.7071067811865476 * x))
    tl.store(y_ptr + i, y.to(tl.float16), mask=i < n)


def gelu_fp16(input, approximate="none"):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        gelu_kernel[(triton.cdiv(x.numel(), 256),)](
            x, y, x.numel(), TANH=approximate == "tanh", BLOCK=256, num_warps=2, num_ctas=1, num_stages=1, enable_fp_fusion=False, debug=False)
    return y
