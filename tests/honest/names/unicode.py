# task: sigmoid_bf16
# style: names and text beyond ASCII: σ, β, emoji in comments, a soft hyphen in a string
"""σ(x) = 1 / (1 + e⁻ˣ) — für bfloat16. 🙂"""
import torch
import triton
import triton.language as tl

ΒΛΟΚ = 512  # Größe eines Blocks
ОПИСАНИЕ = "сигмоида: exec, eval, компиляция\u00ad"


@triton.jit
def sigma_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    tl.store(y_ptr + i, (1.0 / (1.0 + tl.exp(-x))).to(tl.bfloat16), mask=i < n)


def sigmoid_bf16(input):
    ξ = input.contiguous()
    ψ = torch.empty_like(ξ)
    ν = ξ.numel()
    if ν > 0:
        sigma_kernel[(triton.cdiv(ν, ΒΛΟΚ),)](ξ, ψ, ν, BLOCK=ΒΛΟΚ)
    return ψ
