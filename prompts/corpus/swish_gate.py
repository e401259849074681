"""Gated activation of a feed-forward layer: swish(x) * gate, in half precision, computed in float32 (SwiGLU's pointwise part)."""
import torch
import triton
import triton.language as tl


@triton.jit
def swish_gate_kernel(x_ptr, gate_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside).to(tl.float32)
    gate = tl.load(gate_ptr + offsets, mask=inside).to(tl.float32)
    out = x / (1 + tl.exp(-x)) * gate
    tl.store(out_ptr + offsets, out.to(out_ptr.dtype.element_ty), mask=inside)


def swish_gate(x, gate):
    x, gate = x.contiguous(), gate.contiguous()
    out = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        swish_gate_kernel[(triton.cdiv(n, 1024),)](x, gate, out, n, BLOCK=1024)
    return out
