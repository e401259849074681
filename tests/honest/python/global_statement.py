# task: signbit
# style: global statements, a module-level counter, a module __getattr__, del of names at module level
import torch
import triton
import triton.language as tl

calls = 0
_temporary = [2**k for k in range(8, 11)]
BLOCK = max(b for b in _temporary if b <= 512)
del _temporary


@triton.jit
def signbit_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    if x_ptr.dtype.element_ty.is_int_unsigned():
        sign = tl.zeros((BLOCK,), tl.int8)
    elif x_ptr.dtype.element_ty.is_fp64():
        sign = (x.to(tl.int64, bitcast=True) < 0).to(tl.int8)
    elif x_ptr.dtype.element_ty.is_fp32():
        sign = (x.to(tl.int32, bitcast=True) < 0).to(tl.int8)
    elif x_ptr.dtype.element_ty.is_floating():
        sign = (x.to(tl.int16, bitcast=True) < 0).to(tl.int8)
    else:
        sign = (x < 0).to(tl.int8)
    tl.store(y_ptr + i, sign, mask=i < n)


def __getattr__(name):
    if name == "DEFAULT_BLOCK":
        return BLOCK
    raise AttributeError(name)


def signbit(input, out=None):
    global calls
    calls += 1
    x = input.contiguous()
    y = torch.empty(x.shape, dtype=torch.bool, device=x.device)
    if x.numel() > 0:
        source = x.view(torch.uint8) if x.dtype == torch.bool else x
        signbit_kernel[(triton.cdiv(x.numel(), BLOCK),)](source, y.view(torch.int8), x.numel(), BLOCK=BLOCK)
    return y if out is None else out.copy_(y)
