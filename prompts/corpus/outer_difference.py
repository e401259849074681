"""Broadcast of two vectors to a matrix: out[i, j] = a[i] - b[j]. A two-dimensional grid of tiles; each vector is read once a tile."""
import torch
import triton
import triton.language as tl


@triton.jit
def outer_difference_kernel(a_ptr, b_ptr, out_ptr, m, n, M: tl.constexpr, N: tl.constexpr):
    i = tl.program_id(0) * M + tl.arange(0, M)
    j = tl.program_id(1) * N + tl.arange(0, N)
    a = tl.load(a_ptr + i, mask=i < m, other=0.0)
    b = tl.load(b_ptr + j, mask=j < n, other=0.0)
    inside = (i[:, None] < m) & (j[None, :] < n)
    tl.store(out_ptr + i[:, None].to(tl.int64) * n + j[None, :], a[:, None] - b[None, :], mask=inside)


def outer_difference(a, b):
    a, b = a.contiguous(), b.contiguous()
    m, n = a.numel(), b.numel()
    out = torch.empty((m, n), dtype=a.dtype, device=a.device)
    if out.numel() > 0:
        outer_difference_kernel[(triton.cdiv(m, 32), triton.cdiv(n, 128))](a, b, out, m, n, M=32, N=128)
    return out
