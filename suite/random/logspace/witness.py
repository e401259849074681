"""base ** (start + i * step) in Triton, written and never read.

A float32 exponent of some size would cost digits of the power. So t = (start + i * step) * log2(base) is formed in
float64, which is three operations, and only its fraction goes through exp2 in float32.
"""
import math
import struct

import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def as_double(bits):
    """A Python float that was passed by bits_of."""
    return bits.to(tl.int64).to(tl.float64, bitcast=True)


@triton.jit(do_not_specialize=["start", "step", "log_base"])
def logspace_kernel(y_ptr, steps, start, step, log_base, DOUBLE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    t = (as_double(start) + i.to(tl.float64) * as_double(step)) * as_double(log_base)
    if DOUBLE:
        power = tl.exp2(t)
    else:
        whole = tl.floor(t)
        power = tl.exp2((t - whole).to(tl.float32)) * tl.exp2(whole.to(tl.float32))
    tl.store(y_ptr + i, power, mask=i < steps)


def bits_of(value):
    """A float argument would arrive as float32: a double travels as the 64 bits it has."""
    return struct.unpack("<q", struct.pack("<d", value))[0]


def logspace(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    if steps < 0:
        raise RuntimeError("steps must not be negative")
    dtype = dtype if dtype is not None else torch.get_default_dtype()
    y = torch.empty(steps, dtype=dtype, device=device if device is not None else "cuda")
    if steps > 0:
        step = (end - start) / (steps - 1) if steps > 1 else 0.0
        logspace_kernel[(triton.cdiv(steps, BLOCK),)](
            y, steps, bits_of(start), bits_of(step), bits_of(math.log2(base)),
            DOUBLE=dtype == torch.float64, BLOCK=BLOCK, num_warps=4,
        )
    return y.requires_grad_() if requires_grad else y
