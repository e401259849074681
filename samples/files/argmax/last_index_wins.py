import torch
import triton
import triton.language as tl


@triton.jit
def argmax_kernel(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = tl.full((BLOCK,), float("-inf"), tl.float64)
    best_idx = tl.zeros((BLOCK,), tl.int64)
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=float("-inf")).to(tl.float64)
        take = x >= best
        best = tl.where(take, x, best)
        best_idx = tl.where(take, cols, best_idx)
    top = tl.max(best, axis=0)
    # the largest index among equals
    idx = tl.max(tl.where((best == top) & (best_idx < n_cols), best_idx, 0), axis=0)
    tl.store(out_ptr + row, idx)


def argmax(input_tensor, dim, keepdim=False):
    if dim is None:
        flat = input_tensor.contiguous().view(1, -1)
        out = torch.empty((1,), dtype=torch.int64, device=flat.device)
        argmax_kernel[(1,)](flat, out, flat.shape[1], BLOCK=256)
        return out.view(())
    x = input_tensor.transpose(dim, -1).contiguous()
    out = torch.empty(x.shape[:-1] + (1,), dtype=torch.int64, device=x.device)
    if out.numel():
        argmax_kernel[(out.numel(),)](x, out, x.shape[-1], BLOCK=256)
    out = out.transpose(dim, -1)
    return out.contiguous() if keepdim else out.squeeze(dim).contiguous()
