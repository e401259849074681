# task: exp_sqrt
# style: two-dimensional grid over rows and columns with block pointers
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, M, N, ACC: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    row, col = tl.program_id(0) * BM, tl.program_id(1) * BN
    src = tl.make_block_ptr(x_ptr, shape=(M, N), strides=(N, 1), offsets=(row, col), block_shape=(BM, BN), order=(1, 0))
    dst = tl.make_block_ptr(y_ptr, shape=(M, N), strides=(N, 1), offsets=(row, col), block_shape=(BM, BN), order=(1, 0))
    x = tl.load(src, boundary_check=(0, 1), padding_option="zero").to(ACC)
    tl.store(dst, tl.exp(x * 0.5).to(y_ptr.dtype.element_ty), boundary_check=(0, 1))


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        cols = x.shape[-1] if x.dim() else 1
        rows = n // cols
        grid = lambda meta: (triton.cdiv(rows, meta["BM"]), triton.cdiv(cols, meta["BN"]))
        kernel[grid](x, y, rows, cols, tl.float64 if x.dtype == torch.float64 else tl.float32, BM=4, BN=128)
    if out is not None:
        out.copy_(y)
        return out
    return y
