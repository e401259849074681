# task: sqrt_tanh
# style: time.time() and random pick a log sample, uuid names the session; none of it touches a value
import random
import time
import uuid

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

SESSION = uuid.uuid4().hex[:6]
STARTED = time.time()


@triton.jit
def kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, libdevice.tanh(tl.sqrt(x)).to(y_ptr.dtype.element_ty), mask=i < n)


def sqrt_tanh(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=256)
    if random.random() < 0.01:
        print(f"[{SESSION}] {time.time() - STARTED:.1f} s, last shape {tuple(x.shape)}")
    return y if out is None else out.copy_(y)
