# task: sigmoid_bf16
# style: torch.library.Library with define and impl for CUDA, called through torch.ops
import torch
import triton
import triton.language as tl


@triton.jit
def sigmoid_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    tl.store(y_ptr + i, tl.sigmoid(x).to(tl.bfloat16), mask=i < n)


def launch(x):
    x = x.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        sigmoid_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), BLOCK=512)
    return y


library = torch.library.Library("honest_sigmoid", "DEF")
library.define("sigmoid_bf16(Tensor x) -> Tensor")
library.impl("sigmoid_bf16", launch, "CUDA")


def sigmoid_bf16(input):
    return torch.ops.honest_sigmoid.sigmoid_bf16(input)
