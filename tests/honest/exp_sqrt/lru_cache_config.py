# task: exp_sqrt
# style: functools.lru_cache on a configuration; device properties; device contexts; asserts
import functools
import math

import torch
import triton
import triton.language as tl


@functools.lru_cache(maxsize=None)
def pick_block(n, sms):
    block = triton.next_power_of_2(max(1, math.ceil(n / (4 * sms))))
    return max(128, min(1024, block))


@triton.jit
def kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    step = tl.num_programs(0) * BLOCK
    for start in range(pid * BLOCK, n, step):
        offsets = start + tl.arange(0, BLOCK)
        mask = offsets < n
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(ACC)
        tl.store(y_ptr + offsets, tl.exp(x * 0.5), mask=mask)


def exp_sqrt(input, out=None):
    assert isinstance(input, torch.Tensor), "a tensor is needed"
    assert input.is_cuda, "the tensor must be on the GPU"
    assert input.device.type == "cuda" and input.is_floating_point()
    assert out is None or (out.shape == input.shape and out.dtype == input.dtype and out.device == input.device)
    x = input.contiguous()
    y = torch.empty(x.shape, dtype=x.dtype, device=input.device)
    n = x.numel()
    if n:
        sms = torch.cuda.get_device_properties(x.device).multi_processor_count
        block = pick_block(n, sms)
        with torch.cuda.device(x.device):
            kernel[(min(sms, triton.cdiv(n, block)),)](x, y, n, tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=block)
    if out is not None:
        return out.copy_(y)
    return y
