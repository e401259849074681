# task: selu
# style: an nn.Module with buffers-free forward, instantiated at import, and the entry a bound call
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def selu_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    scale = tl.full((BLOCK,), 1.0507009873554805, ACC)
    alpha = tl.full((BLOCK,), 1.6732632423543772, ACC)
    small = x + x * x * 0.5 + x * x * x / 6.0
    em1 = tl.where(tl.abs(x) < 1e-4, small, tl.exp(tl.where(x < 0, x, 0.0)) - 1.0)
    tl.store(y_ptr + i, (scale * tl.where(x > 0, x, tl.where(x != x, x, alpha * em1))).to(y_ptr.dtype.element_ty), mask=i < n)


class Selu(nn.Module):
    def __init__(self, block=512):
        super().__init__()
        self.block = block

    def extra_repr(self):
        return f"block={self.block}"

    def forward(self, x, inplace=False):
        source = x.contiguous()
        target = source if inplace else torch.empty_like(source)
        n = source.numel()
        if n > 0:
            acc = tl.float64 if x.dtype == torch.float64 else tl.float32
            selu_kernel[(triton.cdiv(n, self.block),)](source, target, n, ACC=acc, BLOCK=self.block)
        if inplace and target is not x:
            x.copy_(target)
            return x
        return target


_selu = Selu().eval()


def selu(input, inplace=False):
    with torch.no_grad():
        return _selu(input, inplace=inplace)
