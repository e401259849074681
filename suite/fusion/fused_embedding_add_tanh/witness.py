"""Embedding, sum and tanh in Triton.

One kernel looks up, adds and activates a tile of (indices, columns). With max_norm two small kernels go first: one
marks the rows that occur, the next visits every row of the table and shortens the marked ones that are too long. So
each row is changed by one program only, however often it occurs. Numbers are constants of the kernels: as
plain arguments they would be float32, also where the data are float64.
"""
import torch
import triton
import triton.language as tl

TILE = 2048


@triton.jit
def mark_kernel(index_ptr, used_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    rows = tl.load(index_ptr + offsets, mask=offsets < n, other=0)
    tl.store(used_ptr + rows, tl.full((BLOCK,), 1, tl.int8), mask=offsets < n)


@triton.jit
def shorten_kernel(weight_ptr, used_ptr, columns, row_stride, col_stride, max_norm: tl.constexpr, p: tl.constexpr,
                   LARGEST: tl.constexpr, EUCLIDEAN: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    weight_ptr += row.to(tl.int64) * row_stride
    if tl.load(used_ptr + row) != 0:
        parts = tl.zeros((BLOCK,), ACC)
        for start in range(0, columns, BLOCK):
            col = start + tl.arange(0, BLOCK)
            x = tl.abs(tl.load(weight_ptr + col.to(tl.int64) * col_stride, mask=col < columns, other=0.0).to(ACC))
            if LARGEST:
                parts = tl.maximum(parts, x)
            elif EUCLIDEAN:
                parts += x * x
            else:
                # log2(0) is -inf, which exp2 turns into the 0 that it should be.
                parts += tl.exp2(p * tl.log2(x))
        if LARGEST:
            norm = tl.max(parts, axis=0)
        elif EUCLIDEAN:
            norm = tl.sqrt(tl.sum(parts, axis=0))
        else:
            norm = tl.exp2(tl.log2(tl.sum(parts, axis=0)) / p)
        if norm > max_norm:
            scale = max_norm / (norm + 1e-7)
            for start in range(0, columns, BLOCK):
                col = start + tl.arange(0, BLOCK)
                at = weight_ptr + col.to(tl.int64) * col_stride
                x = tl.load(at, mask=col < columns, other=0.0).to(ACC)
                tl.store(at, x * scale, mask=col < columns)


@triton.jit
def embedding_add_tanh_kernel(index_ptr, weight_ptr, other_ptr, y_ptr, n, columns, row_stride, col_stride,
                              number: tl.constexpr, HAS_OTHER: tl.constexpr, ACC: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr):
    col_tiles = tl.cdiv(columns, COLS)
    row = (tl.program_id(0) // col_tiles).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    col = (tl.program_id(0) % col_tiles) * COLS + tl.arange(0, COLS)
    mask = (row < n)[:, None] & (col < columns)[None, :]
    index = tl.load(index_ptr + row, mask=row < n, other=0).to(tl.int64)
    source = index[:, None] * row_stride + col[None, :].to(tl.int64) * col_stride
    z = tl.load(weight_ptr + source, mask=mask, other=0.0).to(ACC)
    offsets = row[:, None] * columns + col[None, :]
    if HAS_OTHER:
        z += tl.load(other_ptr + offsets, mask=mask, other=0.0).to(ACC)
    else:
        z += number
    # exp may overflow to inf: tanh is then 1.
    tl.store(y_ptr + offsets, 1.0 - 2.0 / (tl.exp(2.0 * z) + 1.0), mask=mask)


def fused_embedding_add_tanh(input_indices, weight, other, *, padding_idx=None, max_norm=None, norm_type=2.0,
                             scale_grad_by_freq=False, sparse=False, out=None):
    index = input_indices.contiguous()
    n, (vocabulary, columns) = index.numel(), weight.shape
    acc = tl.float64 if weight.dtype == torch.float64 else tl.float32
    result = torch.empty(index.shape + (columns,), dtype=weight.dtype, device=weight.device)
    has_other = isinstance(other, torch.Tensor)
    if result.numel() > 0:
        if max_norm is not None:
            used = torch.zeros(vocabulary, dtype=torch.int8, device=weight.device)
            mark_kernel[(triton.cdiv(n, 1024),)](index, used, n, BLOCK=1024, num_warps=4)
            shorten_kernel[(vocabulary,)](
                weight, used, columns, *weight.stride(), float(max_norm), float(norm_type),
                LARGEST=norm_type == float("inf"), EUCLIDEAN=norm_type == 2, ACC=acc, BLOCK=512, num_warps=4,
            )
        cols_tile = min(triton.next_power_of_2(columns), 512)
        rows_tile = TILE // cols_tile
        grid = (triton.cdiv(n, rows_tile) * triton.cdiv(columns, cols_tile),)
        embedding_add_tanh_kernel[grid](
            index, weight, other.expand(result.shape).contiguous() if has_other else weight, result, n, columns,
            *weight.stride(), 0.0 if has_other else float(other),
            HAS_OTHER=has_other, ACC=acc, ROWS=rows_tile, COLS=cols_tile, num_warps=4,
        )
    return result if out is None else out.copy_(result)
