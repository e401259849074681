# task: fused_masked_select_add_gelu
# style: the host reads one number to size the result; counts by atomics would be unordered, so a scan makes the order
import torch
import triton
import triton.language as tl


@triton.jit
def positions_kernel(m_ptr, p_ptr, c_ptr, n, BLOCK: tl.constexpr):
    carry = tl.zeros((), tl.int32)
    for s in range(0, n, BLOCK):
        i = s + tl.arange(0, BLOCK)
        keep = (tl.load(m_ptr + i, mask=i < n, other=0) != 0).to(tl.int32)
        tl.store(p_ptr + i, carry + tl.cumsum(keep, 0) - keep, mask=i < n)
        carry += tl.sum(keep, 0)
    tl.store(c_ptr, carry)


@triton.jit
def gelu_kernel(x_ptr, m_ptr, p_ptr, o_ptr, y_ptr, n, ALPHA: tl.constexpr, NUMBER: tl.constexpr, OTHER: tl.constexpr, TANH: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = (tl.load(m_ptr + i, mask=i < n, other=0) != 0) & (i < n)
    z = tl.load(x_ptr + i, mask=keep, other=0.0).to(ACC)
    if NUMBER:
        z += tl.full((BLOCK,), ALPHA * OTHER, ACC)
    else:
        z += tl.full((BLOCK,), ALPHA, ACC) * tl.load(o_ptr).to(ACC)
    if TANH:
        c = tl.minimum(tl.maximum(z, -40.0), 40.0)
        y = tl.where(z < -40.0, 0.0, z / (1.0 + tl.exp(-1.5957691216057308 * (c + 0.044715 * c * c * c))))
    else:
        y = 0.5 * z * (1.0 + tl.erf(z * 0.7071067811865476))
    tl.store(y_ptr + tl.load(p_ptr + i, mask=keep, other=0), y.to(y_ptr.dtype.element_ty), mask=keep)


def fused_masked_select_add_gelu(input, mask, other, *, alpha=1, approximate="none", out=None):
    shape = torch.broadcast_shapes(input.shape, mask.shape)
    x, m = input.expand(shape).contiguous(), mask.expand(shape).contiguous()
    n = x.numel()
    place = torch.empty((max(n, 1),), dtype=torch.int32, device=x.device)
    count = torch.zeros((1,), dtype=torch.int32, device=x.device)
    positions_kernel[(1,)](m, place, count, n, BLOCK=1024)
    y = torch.empty((int(count.item()),), dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        number = not isinstance(other, torch.Tensor)
        gelu_kernel[(triton.cdiv(n, 512),)](
            x, m, place, x if number else other.contiguous(), y, n, ALPHA=float(alpha), NUMBER=number, OTHER=float(other) if number else 0.0,
            TANH=approximate == "tanh", ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=512)
    return y if out is None else out.copy_(y)
