# task: avg_pool1d
# style: builtins and modules shadowed by parameters and locals: input, range, print, len, torch_, time, id, type
import torch
import triton
import triton.language as tl


@triton.jit
def pool(src, dst, L, LO, size, step, edge, total, type: tl.constexpr, BLOCK: tl.constexpr):
    id = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    len = id // LO
    start = id % LO * step - edge
    sum = tl.zeros((BLOCK,), type)
    for open in range(size):
        at = start + open
        sum += tl.load(src + len * L + at, mask=(id < total) & (at >= 0) & (at < L), other=0.0).to(type)
    tl.store(dst + id, (sum / size).to(dst.dtype.element_ty), mask=id < total)


def avg_pool1d(input, kernel_size, stride=None, padding=0):
    size, = kernel_size if isinstance(kernel_size, (list, tuple)) else (kernel_size,)
    stride = stride or size
    step, = stride if isinstance(stride, (list, tuple)) else (stride,)
    edge, = padding if isinstance(padding, (list, tuple)) else (padding,)
    object = input.contiguous()
    *dir, L = object.shape
    LO = (L + 2 * edge - size) // step + 1
    iter = torch.empty((*dir, LO), dtype=object.dtype, device=object.device)
    vars = iter.numel()
    if vars > 0:
        pool[(triton.cdiv(vars, 128),)](object, iter, L, LO, size, step, edge, vars, type=tl.float64 if object.dtype == torch.float64 else tl.float32, BLOCK=128)
    return iter
