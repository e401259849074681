"""Cosine similarity over channels and average pooling in Triton.

The similarity image is small next to the inputs (one channel in place of C): one kernel makes it in float32, reading
every input element once, a second one averages its windows.
"""
import torch
import triton
import triton.language as tl

BLOCK = 128


@triton.jit
def similarity_kernel(
    a_ptr, b_ptr, s_ptr, channels, width, pixels, eps, a_n, a_c, a_h, a_w, b_n, b_c, b_h, b_w,
    C_TILE: tl.constexpr, BLOCK: tl.constexpr,
):
    image = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    row, column = at // width, at % width
    a_ptrs = a_ptr + image * a_n + row * a_h + column * a_w
    b_ptrs = b_ptr + image * b_n + row * b_h + column * b_w
    dot = tl.zeros((BLOCK,), tl.float32)
    a_square = tl.zeros((BLOCK,), tl.float32)
    b_square = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, channels, C_TILE):
        c = start + tl.arange(0, C_TILE)
        mask = (c < channels)[:, None] & (at < pixels)[None, :]
        a = tl.load(a_ptrs[None, :] + c[:, None].to(tl.int64) * a_c, mask=mask, other=0.0).to(tl.float32)
        b = tl.load(b_ptrs[None, :] + c[:, None].to(tl.int64) * b_c, mask=mask, other=0.0).to(tl.float32)
        dot += tl.sum(a * b, axis=0)
        a_square += tl.sum(a * a, axis=0)
        b_square += tl.sum(b * b, axis=0)
    similarity = dot / (tl.maximum(tl.sqrt(a_square), eps) * tl.maximum(tl.sqrt(b_square), eps))
    tl.store(s_ptr + image * pixels + at, similarity, mask=at < pixels)


@triton.jit
def pool_kernel(
    s_ptr, y_ptr, height, width, rows, columns, kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w,
    BLOCK: tl.constexpr,
):
    image = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    top = at // columns * stride_h - pad_h
    left = at % columns * stride_w - pad_w
    total = tl.zeros((BLOCK,), tl.float32)
    for r in range(kernel_h):
        for c in range(kernel_w):
            y, x = top + r, left + c
            inside = (at < rows * columns) & (y >= 0) & (y < height) & (x >= 0) & (x < width)
            total += tl.load(s_ptr + image * height * width + y * width + x, mask=inside, other=0.0)
    tl.store(y_ptr + image * rows * columns + at, total / (kernel_h * kernel_w), mask=at < rows * columns)


def pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)


def fused_avg_pool2d_cosine_similarity(x1, x2, kernel_size, stride=None, padding=0, eps=1e-08):
    batch, channels, height, width = x1.shape
    kernel, pad = pair(kernel_size), pair(padding)
    step = kernel if stride is None else pair(stride)
    rows = (height + 2 * pad[0] - kernel[0]) // step[0] + 1
    columns = (width + 2 * pad[1] - kernel[1]) // step[1] + 1
    y = torch.empty((batch, 1, rows, columns), dtype=x1.dtype, device=x1.device)
    if y.numel() > 0:
        s = torch.empty((batch, height, width), dtype=torch.float32, device=x1.device)
        pixels = height * width
        similarity_kernel[(batch, triton.cdiv(pixels, BLOCK))](
            x1, x2, s, channels, width, pixels, eps, *x1.stride(), *x2.stride(), C_TILE=8, BLOCK=BLOCK, num_warps=4
        )
        pool_kernel[(batch, triton.cdiv(rows * columns, BLOCK))](
            s, y, height, width, rows, columns, *kernel, *step, *pad, BLOCK=BLOCK, num_warps=4
        )
    return y
