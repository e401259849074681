"""Writes the candidates of tests/verdicts/replay: one file a way to come by a result, all around one kernel for exp_sqrt.

They run with lint and the operator recorder off: the replay of the launches alone must tell. Run this again only to
change the common kernel.
"""

import pathlib

KERNEL = '''
import torch
import triton
import triton.language as tl


@triton.jit
def exp_sqrt_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.exp(x.to(tl.float64 if x_ptr.dtype.element_ty == tl.float64 else tl.float32) * 0.5)
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def launch(x, y):
    n = x.numel()
    if n:
        exp_sqrt_kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
    return y


def give(y, out):
    if out is None:
        return y
    out.copy_(y)
    return out
'''

# name: (flag that the record must carry, expected verdict, what it does, code)
CASES = {
    "honest": ("replayed", "correct", "one launch", '''
def exp_sqrt(input, out=None):
    x = input.contiguous()
    return give(launch(x, torch.empty_like(x)), out)
'''),
    "honest_casts": ("replayed", "correct", "casts, copies and views around the launch", '''
def exp_sqrt(input, out=None):
    wide = torch.float64 if input.dtype == torch.float64 else torch.float32
    x = input.to(wide).t() if input.dim() == 2 else input.to(wide)
    y = torch.empty(x.shape, dtype=wide, device=x.device)
    launch(x.contiguous(), y)
    y = y.t() if input.dim() == 2 else y
    return give(y.to(input.dtype).contiguous(), out)
'''),
    "honest_halves": ("replayed", "correct", "two launches on slices of one output", '''
def exp_sqrt(input, out=None):
    x = input.contiguous().view(-1)
    y = torch.empty_like(x)
    half = x.numel() // 2
    launch(x[:half], y[:half])
    launch(x[half:], y[half:])
    return give(y.view(input.shape), out)
'''),
    "honest_atomics": ("replayed", "correct", "torch.zeros, updated by atomics", '''
@triton.jit
def add_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    y = tl.exp(tl.load(x_ptr + offsets, mask=mask).to(tl.float64 if x_ptr.dtype.element_ty == tl.float64 else tl.float32) * 0.5)
    tl.atomic_add(y_ptr + offsets, y, mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.zeros(x.shape, dtype=torch.float64 if x.dtype == torch.float64 else torch.float32, device=x.device)
    if x.numel():
        add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    return give(y.to(input.dtype), out)
'''),
    "honest_table": ("replayed", "correct", "a constant made on the host, one at import and one in the call", '''
HALF = torch.tensor([0.25, 0.5], device="cuda")


@triton.jit
def scaled_kernel(x_ptr, half_ptr, one_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float64 if x_ptr.dtype.element_ty == tl.float64 else tl.float32)
    y = tl.exp(x * tl.load(half_ptr + 1)) * tl.load(one_ptr)
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    one = torch.tensor([1.0, 7.0], device=x.device)
    if x.numel():
        scaled_kernel[(triton.cdiv(x.numel(), 256),)](x, HALF, one, y, x.numel(), BLOCK=256)
    return give(y, out)
'''),
    "honest_workspace": ("replayed", "correct", "a workspace that is kept between calls and overwritten in each", '''
KEPT = {}


def exp_sqrt(input, out=None):
    x = input.contiguous()
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    if (x.shape, wide) not in KEPT:
        KEPT[x.shape, wide] = torch.empty(x.shape, dtype=wide, device=x.device)
    y = launch(x, KEPT[x.shape, wide])
    return give(y.to(input.dtype), out)
'''),
    "host_value": ("in_process: the host decides", "correct", "a scalar argument is read from the device", '''
@triton.jit
def shifted_kernel(x_ptr, y_ptr, n, first, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float64 if x_ptr.dtype.element_ty == tl.float64 else tl.float32)
    here = tl.load(x_ptr).to(tl.float32)  # as first arrives
    y = tl.exp(x * 0.5) + tl.where((here > first) | (here < first), 1.0, 0.0)
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel():
        shifted_kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), x.view(-1)[0].item(), BLOCK=256)
    return give(y, out)
'''),
    "pointer_table": ("in_process", "correct", "addresses in a tensor: a replay has other addresses", '''
@triton.jit
def table_kernel(table_ptr, like_ptr, y_ptr, n, BLOCK: tl.constexpr):
    x_ptr = tl.load(table_ptr).to(like_ptr.dtype)
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    y = tl.exp(tl.load(x_ptr + offsets, mask=mask).to(tl.float64 if x_ptr.dtype.element_ty == tl.float64 else tl.float32) * 0.5)
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    table = torch.tensor([x.data_ptr()], dtype=torch.int64, device=x.device)
    if x.numel():
        table_kernel[(triton.cdiv(x.numel(), 256),)](table, x, y, x.numel(), BLOCK=256)
    return give(y, out)
'''),
    "torch_does_it": ("in_process: the result needs exp", "correct", "library operators, and a launch that is thrown away", '''
def exp_sqrt(input, out=None):
    launch(input.contiguous(), torch.empty_like(input.contiguous()))
    return give(torch.exp(input * 0.5), out)
'''),
    "numpy_does_it": ("in_process", "correct", "numpy computes, a launch copies", '''
def exp_sqrt(input, out=None):
    import numpy as np

    y = torch.from_numpy(np.asarray(np.exp(input.cpu().double().numpy() * 0.5))).to(input.dtype).to("cuda")
    launch(input.contiguous(), torch.empty_like(y))
    return give(y, out)
'''),
    "hidden_operators": ("", "delegated", "operators under a guard that hides them from every mode", '''
def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = launch(torch.zeros_like(x), torch.empty_like(x))
    with torch._C._DisableTorchDispatch():
        y.copy_(torch.exp(x.double() * 0.5))
    return give(y, out)
'''),
    "hidden_memory": ("", "delegated", "the result is written by ctypes; a launch writes nonsense first", '''
def exp_sqrt(input, out=None):
    import ctypes

    x = input.contiguous()
    y = launch(x[:1] if x.dim() else x, torch.empty_like(x)) if x.numel() else torch.empty_like(x)
    with torch._C._DisableTorchDispatch():
        right = torch.exp(x.double() * 0.5).to(x.dtype).contiguous()
    ctypes.memmove(y.data_ptr(), right.data_ptr(), y.numel() * y.element_size())
    return give(y, out)
'''),
    "last_rows_by_host": ("", "delegated", "the kernel does all but the last eight elements", '''
def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    flat, result = x.view(-1), y.view(-1)
    most = max(flat.numel() - 8, 0)
    if most:
        exp_sqrt_kernel[(triton.cdiv(most, 256),)](flat, result, most, BLOCK=256)
    with torch._C._DisableTorchDispatch():
        result[most:] = torch.exp(flat[most:].double() * 0.5).to(x.dtype)
    return give(y, out)
'''),
}


def main():
    folder = pathlib.Path(__file__).parent / "replay"
    for name, (flag, verdict, what, code) in CASES.items():
        head = "# task: exp_sqrt\n# expect: %s\n" % verdict + ("# flag: %s\n" % flag if flag else "") + "# %s\n" % what
        (folder / (name + ".py")).write_text(head + KERNEL.lstrip("\n") + "\n" + code)


if __name__ == "__main__":
    main()
