# task: exp_sqrt
# style: everything by keyword, the grid as a list, tensors on the current device by index
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, n: tl.int32, ACC: tl.constexpr, BLOCK: tl.constexpr = 512):
    pid = tl.program_id(0)
    block_start = pid * BLOCK
    offsets = block_start + tl.arange(0, BLOCK)
    tl.multiple_of(block_start, BLOCK)
    tl.max_contiguous(tl.multiple_of(offsets, 16), 16)
    x = tl.load(x_ptr + offsets, mask=offsets < n).to(ACC)
    tl.static_assert(BLOCK >= 128)
    tl.device_assert(n > 0)
    tl.store(y_ptr + offsets, value=tl.exp(x * 0.5), mask=offsets < n)


def exp_sqrt(input: "torch.Tensor", out: "torch.Tensor | None" = None) -> "torch.Tensor":
    """sqrt(exp(x))."""
    device = torch.cuda.current_device()
    x = input if input.is_contiguous() else input.contiguous()
    y = torch.zeros(size=x.size(), device=f"cuda:{device}", dtype=x.dtype)
    if (n := x.numel()) != 0:
        kernel[[triton.cdiv(n, 512)]](x_ptr=x, y_ptr=y, n=n, ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, num_warps=8, num_stages=1)
    return y if out is None else out.copy_(y)
