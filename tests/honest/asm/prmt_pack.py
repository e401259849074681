# task: sigmoid_fp16
# style: inline PTX of two instructions with ex2.approx and rcp-free division, a comment inside of the assembly
import torch
import triton
import triton.language as tl


@triton.jit
def sigmoid_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    e = tl.inline_asm_elementwise(
        """
        {
            .reg .f32 t;
            mul.f32 t, $1, 0fBFB8AA3B;   // -log2(e)
            ex2.approx.ftz.f32 $0, t;
        }
        """, "=f,f", [x], dtype=tl.float32, is_pure=True, pack=1)
    tl.store(y_ptr + i, (1.0 / (1.0 + e)).to(tl.float16), mask=i < n)


def sigmoid_fp16(input):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        sigmoid_kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    return y
