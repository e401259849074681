# task: fused_sub_gelu
# style: a registry that a decorator fills, kernels looked up by name at run time (in a dictionary of one's own)
import torch
import triton
import triton.language as tl

KERNELS = {}


def register(name):
    def wrap(fn):
        KERNELS[name] = fn
        return fn
    return wrap


@register("none")
@triton.jit
def gelu_erf(x_ptr, o_ptr, y_ptr, n, ALPHA: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    z = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC) - tl.full((BLOCK,), ALPHA, ACC) * tl.load(o_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, (0.5 * z * (1 + tl.erf(z * 0.7071067811865476))).to(y_ptr.dtype.element_ty), mask=i < n)


@register("tanh")
@triton.jit
def gelu_tanh(x_ptr, o_ptr, y_ptr, n, ALPHA: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    z = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC) - tl.full((BLOCK,), ALPHA, ACC) * tl.load(o_ptr + i, mask=i < n, other=0.0).to(ACC)
    c = tl.minimum(tl.maximum(z, -40.0), 40.0)
    y = z / (1 + tl.exp(-1.5957691216057308 * (c + 0.044715 * c * c * c)))
    tl.store(y_ptr + i, tl.where(z < -40.0, 0.0, y).to(y_ptr.dtype.element_ty), mask=i < n)


def fused_sub_gelu(input, other, alpha=1, approximate="none", out=None):
    if not isinstance(other, torch.Tensor):
        other = torch.full((), other, dtype=torch.float64 if input.dtype == torch.float64 else torch.float32, device=input.device)
    shape = torch.broadcast_shapes(input.shape, other.shape)
    x, o = input.expand(shape).contiguous(), other.expand(shape).contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        KERNELS[approximate][(triton.cdiv(x.numel(), 512),)](
            x, o, y, x.numel(), ALPHA=float(alpha), ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=512)
    return y if out is None else out.copy_(y)
