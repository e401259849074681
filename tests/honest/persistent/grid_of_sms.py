# task: tanh_fp16
# style: persistent programs: as many as the card has multiprocessors, each strides over the tiles
import torch
import triton
import triton.language as tl


def num_sms(device):
    return torch.cuda.get_device_properties(device).multi_processor_count if torch.cuda.is_available() else 8


@triton.jit
def tanh_kernel(x_ptr, y_ptr, n, tiles, BLOCK: tl.constexpr):
    for tile in range(tl.program_id(0), tiles, tl.num_programs(0)):
        i = tile * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
        a = tl.abs(x)
        e = tl.exp(-2.0 * a)
        far = (1.0 - e) / (1.0 + e)
        s = x * x
        near = a * (1.0 + s * (-0.3333333333 + s * (0.1333333333 + s * (-0.0539682540 + s * 0.0218694885))))
        y = tl.where(a < 0.25, near, far)
        tl.store(y_ptr + i, tl.where(x < 0, -y, y).to(tl.float16), mask=i < n)


def tanh_fp16(input):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        tiles = triton.cdiv(n, 256)
        tanh_kernel[(min(num_sms(x.device), tiles),)](x, y, n, tiles, BLOCK=256)
    return y
