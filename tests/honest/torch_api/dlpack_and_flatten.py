# task: ifftshift
# style: views of all kinds: view_as_real, flatten, unflatten-like reshape, movedim by permute, detach
import torch
import triton
import triton.language as tl

RAW = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


@triton.jit
def shift_kernel(x_ptr, y_ptr, total, n, inner, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    col, k, outer = i % inner, i // inner % n, i // (inner * n)
    source = (outer * n + (k + n // 2) % n) * inner + col
    tl.store(y_ptr + i, tl.load(x_ptr + source, mask=i < total, other=0), mask=i < total)


def ifftshift(input, dim=None):
    x = input.detach().contiguous()
    dims = range(input.dim()) if dim is None else (dim,) if isinstance(dim, int) else dim
    dims = [d % input.dim() for d in dims]
    is_complex = x.dtype.is_complex
    if is_complex:
        x = torch.view_as_real(x)
    for d in dims:
        n, inner = x.shape[d], 1
        for s in x.shape[d + 1:]:
            inner *= s
        y = torch.empty_like(x)
        if x.numel() > 0:
            raw = RAW[x.element_size()]
            shift_kernel[(triton.cdiv(x.numel(), 256),)](x.view(raw).flatten(), y.view(raw).flatten(), x.numel(), n, inner, BLOCK=256)
        x = y
    return torch.view_as_complex(x) if is_complex else x
