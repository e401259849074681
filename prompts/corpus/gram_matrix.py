"""Matrix product with tensor cores and masked tails: the Gram matrix x^T x of a tall matrix. tl.dot in a loop over the long dimension, float32 accumulator."""
import torch
import triton
import triton.language as tl


@triton.jit
def gram_matrix_kernel(x_ptr, out_ptr, rows, columns, TILE: tl.constexpr, DEPTH: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    j = tl.program_id(1) * TILE + tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), tl.float32)
    for start in range(0, rows, DEPTH):
        k = start + tl.arange(0, DEPTH)
        left = tl.load(x_ptr + k[None, :].to(tl.int64) * columns + i[:, None], mask=(k[None, :] < rows) & (i[:, None] < columns), other=0.0)
        right = tl.load(x_ptr + k[:, None].to(tl.int64) * columns + j[None, :], mask=(k[:, None] < rows) & (j[None, :] < columns), other=0.0)
        total = tl.dot(left, right, total, input_precision="ieee")
    inside = (i[:, None] < columns) & (j[None, :] < columns)
    tl.store(out_ptr + i[:, None] * columns + j[None, :], total.to(out_ptr.dtype.element_ty), mask=inside)


def gram_matrix(x):
    x = x.contiguous()
    rows, columns = x.shape
    out = torch.empty((columns, columns), dtype=x.dtype, device=x.device)
    if out.numel() > 0:
        grid = (triton.cdiv(columns, 32), triton.cdiv(columns, 32))
        gram_matrix_kernel[grid](x, out, rows, columns, TILE=32, DEPTH=32)
    return out
