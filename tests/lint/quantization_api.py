"""The ready-made quantization, hidden in several ways."""
# quantization: yes

import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), 0.0)


def entry(x):
    """Call the kernel."""
    kernel[(1,)](x, BLOCK=16)
    return x


from torch.ao.quantization import quantize_dynamic as qd  # expect: quantization_api
import bitsandbytes as bnb  # expect: quantization_api

q = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8)  # expect: quantization_api
r = getattr(torch, "quantize" + "_per_channel")  # expect: quantization_api
t = torch
p = t.ops.aten._int_mm.default  # expect: quantization_api
s = getattr(t.ops, "quantized").add  # expect: quantization_api
u = q.int_repr()  # expect: quantization_api
v = torch.fake_quantize_per_tensor_affine  # expect: quantization_api


def quantize_per_tensor(x, scale):
    """One's own, torch.quantize_per_tensor is not used."""
    return (x / scale).round().clamp(-128, 127).to(torch.int8)


class Layer:
    """Methods of one's own."""

    def dequantize(self):
        """torch._int_mm in words."""
        return self.dequantize, quantize_per_tensor, "torch.ops.quantized"
