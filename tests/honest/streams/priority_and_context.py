# task: abs
# style: a high-priority stream kept by the module, used as a context, joined by an event that times itself
import torch
import triton
import triton.language as tl

_side = None


def side_stream():
    global _side
    if _side is None:
        _side = torch.cuda.Stream(priority=-1)
    return _side


@triton.jit
def abs_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    tl.store(y_ptr + i, tl.where(x < 0, -x, tl.abs(x)), mask=i < n)


def abs(input_tensor, out=None):
    x = input_tensor.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        side = side_stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            abs_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), BLOCK=512)
        done = side.record_event()
        torch.cuda.current_stream().wait_event(done)
        x.record_stream(side)
    return y if out is None else out.copy_(y)
