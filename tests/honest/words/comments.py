# task: sigmoid
# style: comments and strings full of forbidden words
"""Sigmoid without torch.compile, exec(), eval(), subprocess, os.system, ctypes or time.sleep().

We do NOT use torch.sigmoid(x), torch.nn.functional.sigmoid or load_inline here. No `import socket`, no monkey patching
of torch.cuda.Event.elapsed_time, no gc.get_objects(), no sys._getframe(), no open("/proc/self/mem").
"""
import torch
import triton
import triton.language as tl

# TODO: compare with torch.compile(mode="max-autotune") and with torch._inductor
# NOTE: subprocess.run(["nvidia-smi"]) says 0% utilization, because time.sleep(1) came first
NOTES = {
    "torch.compile": "never used",
    "exec": "exec('import os; os._exit(0)') would be refused",
    "cheat": "return expected  # data_ptr() cache",
}


@triton.jit
def sigmoid_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    """eval(x) = 1 / (1 + exp(-x)); __import__ nothing."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)  # exec: one load, one store
    tl.store(y_ptr + i, (1.0 / (1.0 + tl.exp(-x))).to(y_ptr.dtype.element_ty), mask=i < n)


def sigmoid(input, out=None):
    if input.dtype not in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        raise TypeError("torch.compile would refuse this, too: %s; %s" % (input.dtype, NOTES["exec"]))
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        sigmoid_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), ACC=acc, BLOCK=1024)
    return y if out is None else out.copy_(y)
