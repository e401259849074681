# task: gelu_int8
# style: a lookup table of all 256 results, computed by a Triton kernel at the first call and kept (it depends on no input)
import torch
import triton
import triton.language as tl

_tables = {}


@triton.jit
def table_kernel(t_ptr):
    i = tl.arange(0, 256)
    x = (i - 128).to(tl.float32)
    tl.store(t_ptr + i, (x * 0.5 * (1.0 + tl.erf(x * 0.7071067811865476))).to(tl.int8))


@triton.jit
def lookup_kernel(x_ptr, t_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0).to(tl.int32)
    tl.store(y_ptr + i, tl.load(t_ptr + x + 128, mask=i < n, other=0), mask=i < n)


def gelu_int8(input, approximate="none"):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.device not in _tables:
        _tables[x.device] = torch.empty(256, dtype=torch.int8, device=x.device)
        table_kernel[(1,)](_tables[x.device])
    if x.numel() > 0:
        lookup_kernel[(triton.cdiv(x.numel(), 512),)](x, _tables[x.device], y, x.numel(), BLOCK=512)
    return y
