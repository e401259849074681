# task: rsqrt
# style: inline PTX rsqrt.approx, refined by a Newton step in float32; float64 and the special values go another way
import torch
import triton
import triton.language as tl


@triton.jit
def rsqrt_kernel(x_ptr, y_ptr, n, DOUBLE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0)
    if DOUBLE:
        y = 1.0 / tl.sqrt(x)
    else:
        v = x.to(tl.float32)
        r = tl.inline_asm_elementwise("rsqrt.approx.f32 $0, $1;", "=f,f", [v], dtype=tl.float32, is_pure=True, pack=1)
        better = r * (1.5 - 0.5 * v * r * r)
        y = tl.where((v > 1e-30) & (v < 1e30), better, 1.0 / tl.sqrt(v))
    tl.store(y_ptr + i, y.to(y_ptr.dtype.element_ty), mask=i < n)


def rsqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        rsqrt_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), DOUBLE=x.dtype == torch.float64, BLOCK=512)
    return y if out is None else out.copy_(y)
