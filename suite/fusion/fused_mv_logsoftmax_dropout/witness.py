"""Matrix-vector product, log-softmax and dropout in Triton.

One kernel computes a few rows of the product a program; a second one, a single program, normalizes the vector with a
running maximum and a running sum. The mask comes from a counter-based generator with a new seed every call.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def mv_kernel(a_ptr, v_ptr, z_ptr, n, m, row_stride, col_stride, ROWS: tl.constexpr, COLS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    row_starts = a_ptr + rows[:, None].to(tl.int64) * row_stride
    partial = tl.zeros((ROWS, COLS), tl.float32)
    for start in range(0, m, COLS):
        cols = start + tl.arange(0, COLS)
        mask = (rows < n)[:, None] & (cols < m)[None, :]
        a = tl.load(row_starts + cols[None, :].to(tl.int64) * col_stride, mask=mask, other=0.0).to(tl.float32)
        v = tl.load(v_ptr + cols, mask=cols < m, other=0.0).to(tl.float32)
        partial += a * v[None, :]
    tl.store(z_ptr + rows, tl.sum(partial, axis=1), mask=rows < n)


@triton.jit
def log_softmax_dropout_kernel(z_ptr, y_ptr, n, p, scale, seed, DROP: tl.constexpr, BLOCK: tl.constexpr):
    largest = tl.full((), -float("inf"), tl.float32)
    total = tl.zeros((), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        z = tl.load(z_ptr + at, mask=at < n, other=-float("inf"))
        new_largest = tl.maximum(largest, tl.max(z, axis=0))
        total = total * tl.exp(largest - new_largest) + tl.sum(tl.exp(z - new_largest), axis=0)
        largest = new_largest
    log_total = tl.log(total)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        y = tl.load(z_ptr + at, mask=at < n, other=0.0) - largest - log_total
        if DROP:
            y = tl.where(tl.rand(seed, at) >= p, y * scale, 0.0)
        tl.store(y_ptr + at, y, mask=at < n)


def fused_mv_logsoftmax_dropout(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    if dim not in (0, -1):
        raise IndexError(f"the product is a vector, it has no dimension {dim}")
    n, m = input.shape
    z = torch.empty(n, dtype=torch.float32, device=input.device)
    result = torch.empty(n, dtype=input.dtype, device=input.device)
    if n > 0:
        rows, cols = (4, 512) if m >= 256 else (64, 32)
        mv_kernel[(triton.cdiv(n, rows),)](
            input, vec.contiguous(), z, n, m, *input.stride(), ROWS=rows, COLS=cols, num_warps=4
        )
        drop = training and p > 0
        seed = int(torch.randint(2**31 - 1, (), device="cpu")) if drop else 0
        scale = 1 / (1 - p) if p < 1 else 0.0
        log_softmax_dropout_kernel[(1,)](z, result, n, float(p), scale, seed, DROP=drop, BLOCK=4096, num_warps=16)
    return result if out is None else out.copy_(result)
