"""ReLU and fractional max pooling in Triton: a program computes a block of output positions of one image plane.

The two offsets of a plane come from Philox, seeded anew by torch's generator on every call.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def starts(i, count, length, window, u):
    """Where window i of `count` starts; the last one ends with the image."""
    step = (length - window) / tl.maximum(count - 1, 1).to(tl.float32)
    start = ((i.to(tl.float32) + u) * step).to(tl.int32) - (u * step).to(tl.int32)
    return tl.where(i == count - 1, length - window, start)


@triton.jit
def pool_kernel(
    x_ptr, y_ptr, index_ptr, channels, height, width, rows, columns, kernel_h, kernel_w,
    stride_n, stride_c, stride_h, stride_w, seed, INDICES: tl.constexpr, BLOCK: tl.constexpr,
):
    plane = tl.program_id(0)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = at < rows * columns
    top = starts(at // columns, rows, height, kernel_h, tl.rand(seed, 2 * plane))
    left = starts(at % columns, columns, width, kernel_w, tl.rand(seed, 2 * plane + 1))
    x_ptr += (plane // channels).to(tl.int64) * stride_n + (plane % channels).to(tl.int64) * stride_c
    largest = tl.full((BLOCK,), -1.0, tl.float32)
    position = tl.zeros((BLOCK,), tl.int32)
    for r in range(kernel_h):
        for s in range(kernel_w):
            row, column = top + r, left + s
            x = tl.load(x_ptr + row * stride_h + column * stride_w, mask=mask, other=0.0).to(tl.float32)
            x = tl.where(x < 0, 0.0, x)
            better = (x > largest) | (x != x)
            largest = tl.where(better, x, largest)
            position = tl.where(better, row * width + column, position)
    out = plane.to(tl.int64) * rows * columns + at
    tl.store(y_ptr + out, largest, mask=mask)
    if INDICES:
        tl.store(index_ptr + out, position.to(tl.int64), mask=mask)


def pair(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)


def fused_fractional_max_pool2d_with_relu(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False
):
    x = input if input.dim() == 4 else input.unsqueeze(0)
    batch, channels, height, width = x.shape
    kernel = pair(kernel_size)
    if output_size is None:
        rows, columns = int(height * output_ratio[0]), int(width * output_ratio[1])
    else:
        rows, columns = pair(output_size)
    y = torch.empty((batch, channels, rows, columns), dtype=x.dtype, device=x.device)
    index = torch.empty(y.shape if return_indices else (1,), dtype=torch.int64, device=x.device)
    if y.numel() > 0:
        seed = torch.randint(0, 2**31 - 1, (1,)).item()
        block = min(triton.next_power_of_2(rows * columns), 256)
        pool_kernel[(batch * channels, triton.cdiv(rows * columns, block))](
            x, y, index, channels, height, width, rows, columns, *kernel, *x.stride(), seed,
            INDICES=return_indices, BLOCK=block, num_warps=max(block // 64, 1),
        )
    if input.dim() == 3:
        y = y.squeeze(0)
        index = index.squeeze(0)
    return (y, index) if return_indices else y
