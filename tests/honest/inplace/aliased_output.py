# task: relu
# style: in place where the task says so: the kernel's input and output are the same tensor
import torch
import triton
import triton.language as tl


@triton.jit
def relu_(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(src + i, mask=i < n, other=0)
    tl.store(dst + i, tl.where(x < 0, tl.zeros_like(x), x), mask=i < n)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    src = input.contiguous()
    dst = src if inplace else torch.empty_like(src)
    if (n := src.numel()) != 0:
        relu_[(triton.cdiv(n, 1024),)](src, dst, n, BLOCK=1024)
    if inplace:
        return input if dst is input else input.copy_(dst)
    return dst
