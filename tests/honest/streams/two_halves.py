# task: tanh
# style: two streams do half of the work each; events join them before the result is returned
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def tanh_kernel(x_ptr, y_ptr, first, last, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = first + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < last
    x = tl.load(x_ptr + i, mask=mask, other=0.0).to(ACC)
    tl.store(y_ptr + i, libdevice.tanh(x).to(y_ptr.dtype.element_ty), mask=mask)


def tanh(input_tensor, out_tensor=None):
    x = input_tensor.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    acc = tl.float64 if x.dtype == torch.float64 else tl.float32
    main = torch.cuda.current_stream()
    ready = torch.cuda.Event()
    ready.record(main)
    middle = n // 2
    for first, last in ((0, middle), (middle, n)):
        if last > first:
            side = torch.cuda.Stream()
            side.wait_event(ready)
            with torch.cuda.stream(side):
                tanh_kernel[(triton.cdiv(last - first, 512),)](x, y, first, last, ACC=acc, BLOCK=512)
            done = torch.cuda.Event()
            done.record(side)
            main.wait_event(done)
            y.record_stream(side)
    return y if out_tensor is None else out_tensor.copy_(y)
