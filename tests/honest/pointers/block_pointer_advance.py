# task: tril_mm_and_scale
# style: block pointers with tl.advance and boundary checks; only the blocks below the diagonal are read
import torch
import triton
import triton.language as tl


@triton.jit
def tril_kernel(a_ptr, b_ptr, c_ptr, n, p, a0, a1, b0, b1, scale, B: tl.constexpr):
    tm, tn = tl.program_id(0), tl.program_id(1)
    a_block = tl.make_block_ptr(a_ptr, (n, n), (a0, a1), (tm * B, 0), (B, B), (1, 0))
    b_block = tl.make_block_ptr(b_ptr, (n, p), (b0, b1), (0, tn * B), (B, B), (1, 0))
    rows = tm * B + tl.arange(0, B)
    acc = tl.zeros((B, B), tl.float32)
    for k in range(0, (tm + 1) * B, B):
        a = tl.load(a_block, boundary_check=(0, 1), padding_option="zero")
        b = tl.load(b_block, boundary_check=(0, 1), padding_option="zero")
        a = tl.where(rows[:, None] >= (k + tl.arange(0, B))[None, :], a, 0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")
        a_block = tl.advance(a_block, (0, B))
        b_block = tl.advance(b_block, (B, 0))
    c_block = tl.make_block_ptr(c_ptr, (n, p), (p, 1), (tm * B, tn * B), (B, B), (1, 0))
    tl.store(c_block, (acc * scale).to(c_ptr.dtype.element_ty), boundary_check=(0, 1))


def tril_mm_and_scale(A, B, alpha, beta):
    n, p = B.shape
    c = torch.empty((n, p), dtype=B.dtype, device=B.device)
    if c.numel() > 0:
        tril_kernel[(triton.cdiv(n, 32), triton.cdiv(p, 32))](A, B, c, n, p, *A.stride(), *B.stride(), float(alpha * beta), B=32)
    return c
