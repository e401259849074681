"""Cosine embedding loss in Triton, in one pass over the rows.

A program owns a few rows of both inputs and collects their three products a.b, a.a and b.b; normalising comes down to
one division at the end. It stores its losses, or the sum of them, which a second kernel adds up.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def loss_kernel(
    a_ptr, b_ptr, target_ptr, out_ptr, rows, columns, a_row, a_col, b_row, b_col, target_stride, margin: tl.constexpr,
    REDUCE: tl.constexpr, ACC: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr,
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    a_ptr += row.to(tl.int64)[:, None] * a_row
    b_ptr += row.to(tl.int64)[:, None] * b_row
    dot = tl.zeros((ROWS, COLS), ACC)
    a_square = tl.zeros((ROWS, COLS), ACC)
    b_square = tl.zeros((ROWS, COLS), ACC)
    for start in range(0, columns, COLS):
        col = start + tl.arange(0, COLS)
        mask = (row < rows)[:, None] & (col < columns)[None, :]
        a = tl.load(a_ptr + col[None, :].to(tl.int64) * a_col, mask=mask, other=0.0).to(ACC)
        b = tl.load(b_ptr + col[None, :].to(tl.int64) * b_col, mask=mask, other=0.0).to(ACC)
        dot += a * b
        a_square += a * a
        b_square += b * b
    a_norm, b_norm = tl.sqrt(tl.sum(a_square, axis=1)), tl.sqrt(tl.sum(b_square, axis=1))
    cosine = tl.sum(dot, axis=1) / tl.where(a_norm < 1e-12, 1e-12, a_norm) / tl.where(b_norm < 1e-12, 1e-12, b_norm)
    target = tl.load(target_ptr + row.to(tl.int64) * target_stride, mask=row < rows, other=1)
    above = cosine - margin
    dissimilar = tl.where(above < 0, 0.0, above)  # NaN stays
    loss = tl.where(target == 1, 1.0 - cosine, tl.where(target == -1, dissimilar, 0.0))
    if REDUCE:
        tl.store(out_ptr + tl.program_id(0), tl.sum(tl.where(row < rows, loss, 0.0), axis=0))
    else:
        tl.store(out_ptr + row, loss, mask=row < rows)


@triton.jit
def sum_kernel(partial_ptr, out_ptr, parts, divisor, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), partial_ptr.dtype.element_ty)
    for start in range(0, parts, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(partial_ptr + at, mask=at < parts, other=0.0)
    tl.store(out_ptr, tl.sum(total, axis=0) / divisor)


def fused_cosine_embedding_loss_with_normalization(input1, input2, target, margin=0, reduction="mean"):
    rows, columns = input1.shape
    double = input1.dtype == torch.float64
    reduces = reduction != "none"
    cols = min(triton.next_power_of_2(max(columns, 1)), 512)
    tile = min(max(2048 // cols, 1), 64)
    parts = triton.cdiv(rows, tile)
    partial_type = torch.float64 if double else torch.float32
    losses = torch.empty((parts,) if reduces else (rows,), dtype=partial_type if reduces else input1.dtype,
                         device=input1.device)
    if rows > 0:
        loss_kernel[(parts,)](
            input1, input2, target, losses, rows, columns, *input1.stride(), *input2.stride(), target.stride(0),
            float(margin), REDUCE=reduces, ACC=tl.float64 if double else tl.float32, ROWS=tile, COLS=cols, num_warps=4,
        )
    if not reduces:
        return losses
    out = torch.empty((), dtype=input1.dtype, device=input1.device)
    sum_kernel[(1,)](losses, out, parts, float(rows if reduction == "mean" else 1), BLOCK=1024, num_warps=4)
    return out
