# task: masked_select
# style: a counting pass, a scan of block counts in one program, and a scattering pass; the host reads one number
import torch
import triton
import triton.language as tl

RAW = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


@triton.jit
def count_kernel(m_ptr, c_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(c_ptr + tl.program_id(0), tl.sum((tl.load(m_ptr + i, mask=i < n, other=0) != 0).to(tl.int32)))


@triton.jit
def scan_kernel(c_ptr, o_ptr, blocks, BLOCK: tl.constexpr):
    carry = tl.zeros((), tl.int32)
    for s in range(0, blocks, BLOCK):
        k = s + tl.arange(0, BLOCK)
        c = tl.load(c_ptr + k, mask=k < blocks, other=0)
        tl.store(o_ptr + k, carry + tl.cumsum(c, 0) - c, mask=k < blocks)
        carry += tl.sum(c)
    tl.store(o_ptr + blocks, carry)


@triton.jit
def scatter_kernel(x_ptr, m_ptr, o_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = (tl.load(m_ptr + i, mask=i < n, other=0) != 0).to(tl.int32)
    place = tl.load(o_ptr + tl.program_id(0)) + tl.cumsum(keep, 0) - keep
    tl.store(y_ptr + place, tl.load(x_ptr + i, mask=i < n, other=0), mask=keep != 0)


def masked_select(input, mask):
    shape = torch.broadcast_shapes(input.shape, mask.shape)
    x, m = input.expand(shape).contiguous().view(-1), mask.expand(shape).contiguous().view(-1)
    n = x.numel()
    blocks = triton.cdiv(n, 256)
    counts = torch.empty(blocks, dtype=torch.int32, device=x.device)
    offsets = torch.zeros(blocks + 1, dtype=torch.int32, device=x.device)
    if blocks:
        count_kernel[(blocks,)](m, counts, n, BLOCK=256)
        scan_kernel[(1,)](counts, offsets, blocks, BLOCK=128)
    y = torch.empty(int(offsets[blocks].item()), dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        raw = RAW[x.element_size()]
        scatter_kernel[(blocks,)](x.view(raw), m, offsets, y.view(raw), n, BLOCK=256)
    return y
