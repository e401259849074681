# task: kl_div
# kernels: liger_kernel/ops/kl_div.py: _kldiv_kernel_forward
# constants: _REDUCTION_MODE_NONE = tl.constexpr(0)


@triton.jit
def sum_kernel(l_ptr, y_ptr, n, count, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), l_ptr.dtype.element_ty)
    for s in range(0, n, BLOCK):
        i = s + tl.arange(0, BLOCK)
        acc += tl.load(l_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr, (tl.sum(acc, 0) / count).to(y_ptr.dtype.element_ty))


@triton.jit
def double_kernel(x_ptr, t_ptr, l_ptr, n, LOG: tl.constexpr, BLOCK: tl.constexpr):
    # The package computes in float32; doubles need doubles.
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    t = tl.load(t_ptr + i, mask=i < n, other=0.0)
    if LOG:
        loss = tl.exp(t) * (t - x)
    else:
        loss = t * (tl.log(tl.where(t == 0, 1.0, t)) - x)
    tl.store(l_ptr + i, loss, mask=i < n)


def kl_div(input, target, reduction="batchmean", log_target=False):
    shape = torch.broadcast_shapes(input.shape, target.shape)
    x, t = input.expand(shape).contiguous(), target.expand(shape).contiguous()
    double = x.dtype == torch.float64
    n = x.numel()
    cols = shape[-1] if shape else 1
    loss = torch.empty(shape, dtype=torch.float64 if double else x.dtype if reduction == "none" else torch.float32, device=x.device)
    if n > 0 and double:
        double_kernel[(triton.cdiv(n, 512),)](x, t, loss, n, LOG=log_target, BLOCK=512)
    elif n > 0:
        _kldiv_kernel_forward[(n // cols,)](x, cols, t, cols, loss, cols, cols, 1e-38, BLOCK_SIZE=1024, reduction=0, log_target=log_target)
    if reduction == "none":
        return loss
    y = torch.empty((), dtype=x.dtype, device=x.device)
    count = {"sum": 1, "mean": n, "batchmean": input.shape[0] if input.dim() else 1}[reduction]
    sum_kernel[(1,)](loss, y, n, count, BLOCK=512)
    return y
