"""Low precision weights: int8 rows with one scale and one zero point each, turned into half precision."""
import torch
import triton
import triton.language as tl


@triton.jit
def dequantize_rows_kernel(q_ptr, scale_ptr, zero_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = at < columns
    q = tl.load(q_ptr + row * columns + at, mask=inside, other=0).to(tl.float32)
    value = (q - tl.load(zero_ptr + row).to(tl.float32)) * tl.load(scale_ptr + row).to(tl.float32)
    tl.store(out_ptr + row * columns + at, value.to(tl.float16), mask=inside)


def dequantize_rows(q, scale, zero):
    q, scale, zero = q.contiguous(), scale.contiguous(), zero.contiguous()
    rows, columns = q.shape
    out = torch.empty((rows, columns), dtype=torch.float16, device=q.device)
    if out.numel() > 0:
        dequantize_rows_kernel[(rows, triton.cdiv(columns, 1024))](q, scale, zero, out, columns, BLOCK=1024)
    return out
