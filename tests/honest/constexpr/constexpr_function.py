# task: adaptive_avg_pool2d
# style: a triton.constexpr_function and tl.static_assert decide the tile at compile time
import torch
import triton
import triton.language as tl


@triton.constexpr_function
def tile_width(columns):
    return 16 if columns <= 16 else 64


@triton.jit
def pool_kernel(x_ptr, y_ptr, H, W, OH, OW: tl.constexpr, ACC: tl.constexpr):
    tl.static_assert(tile_width(OW) >= 16, "a tile holds at least 16 columns")
    BLOCK: tl.constexpr = tile_width(OW)
    plane, row = tl.program_id(0), tl.program_id(1)
    cols = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    h0, h1 = row * H // OH, ((row + 1) * H + OH - 1) // OH
    w0, w1 = cols * W // OW, ((cols + 1) * W + OW - 1) // OW
    widest = (W + OW - 1) // OW + 1
    acc = tl.zeros((BLOCK,), ACC)
    for h in range(h0, h1):
        for k in range(0, widest):
            w = w0 + k
            acc += tl.load(x_ptr + plane * H * W + h * W + w, mask=(w < w1) & (cols < OW), other=0.0).to(ACC)
    count = (h1 - h0) * (w1 - w0)
    tl.store(y_ptr + plane * OH * OW + row * OW + cols, (acc / tl.where(cols < OW, count, 1)).to(y_ptr.dtype.element_ty), mask=cols < OW)


def adaptive_avg_pool2d(input, output_size):
    x = input.contiguous()
    H, W = x.shape[-2:]
    rows, columns = (output_size, output_size) if isinstance(output_size, int) else output_size
    OH, OW = (H if rows is None else rows), (W if columns is None else columns)
    y = torch.empty((*x.shape[:-2], OH, OW), dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        planes = y.numel() // (OH * OW)
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        pool_kernel[(planes, OH, triton.cdiv(OW, 16 if OW <= 16 else 64))](x, y, H, W, OH, OW=OW, ACC=acc)
    return y
