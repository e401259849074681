# task: tanh
# style: the configuration is JSON in a string, a hash of it names it; literal_eval; a class property of settings
import ast
import hashlib
import json

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

CONFIG = json.loads('{"blocks": {"small": 128, "large": 1024}, "warps": "(2, 8)"}')
NAME = hashlib.sha256(json.dumps(CONFIG, sort_keys=True).encode()).hexdigest()[:8]
WARPS = ast.literal_eval(CONFIG["warps"])


@triton.jit
def tanh_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, libdevice.tanh(x).to(y_ptr.dtype.element_ty), mask=i < n)


tanh_kernel.__doc__ = "tanh, configuration " + NAME


def tanh(input_tensor, out_tensor=None):
    x = input_tensor.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        size = "small" if n < 4096 else "large"
        block = CONFIG["blocks"][size]
        tanh_kernel[(triton.cdiv(n, block),)](
            x, y, n, ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=block, num_warps=WARPS[size == "large"])
    return y if out_tensor is None else out_tensor.copy_(y)
