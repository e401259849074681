import torch
import triton
import triton.language as tl


@triton.jit
def _gelu_fwd(X, Y, N, USE_TANH: tl.constexpr, BLOCK: tl.constexpr):
    idx = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(X + idx, mask=idx < N, other=0.0).to(tl.float32)
    if USE_TANH:
        z = 0.7978845608028654 * (x + 0.044715 * x * x * x)
        y = x * (1.0 - 1.0 / (tl.exp(2.0 * z) + 1.0))
    else:
        y = 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))
    tl.store(Y + idx, y.to(Y.dtype.element_ty))


def gelu(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel():
        _gelu_fwd[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), approximate == "tanh", BLOCK=512)
    return y
