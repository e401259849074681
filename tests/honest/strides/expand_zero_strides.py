# task: smooth_l1_loss
# style: broadcasting by zero strides inside of the kernel (up to five dimensions), sums by one program that loops
import torch
import triton
import triton.language as tl


@triton.jit
def place(i, z1, z2, z3, z4, t0, t1, t2, t3, t4):
    at = i % z4 * t4
    i = i // z4
    at += i % z3 * t3
    i = i // z3
    at += i % z2 * t2
    i = i // z2
    return at + i % z1 * t1 + i // z1 * t0


@triton.jit
def loss_kernel(x_ptr, t_ptr, y_ptr, n, count, z1, z2, z3, z4, x0, x1, x2, x3, x4, t0, t1, t2, t3, t4,
                BETA: tl.constexpr, NONE: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), ACC)
    begin = tl.program_id(0) * BLOCK
    end = n
    if NONE:
        end = begin + BLOCK
    for s in range(begin, end, BLOCK):
        i = s + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + place(i, z1, z2, z3, z4, x0, x1, x2, x3, x4), mask=i < n, other=0.0).to(ACC)
        t = tl.load(t_ptr + place(i, z1, z2, z3, z4, t0, t1, t2, t3, t4), mask=i < n, other=0.0).to(ACC)
        d = tl.abs(x - t)
        beta = tl.full((BLOCK,), BETA, ACC)
        if BETA > 0:
            q = tl.where(d < beta, d, 0.0)
            loss = tl.where(d < beta, 0.5 * q * q / beta, d - 0.5 * beta)
        else:
            loss = d
        if NONE:
            tl.store(y_ptr + i, loss.to(y_ptr.dtype.element_ty), mask=i < n)
        total += tl.where(i < n, loss, 0.0)
    if not NONE:
        tl.store(y_ptr, (tl.sum(total, 0) / count).to(y_ptr.dtype.element_ty))


def smooth_l1_loss(input, target, beta=1.0, reduction="mean"):
    shape = torch.broadcast_shapes(input.shape, target.shape)
    x, t = input.expand(shape), target.expand(shape)
    none = reduction == "none"
    y = torch.empty(shape if none else (), dtype=x.dtype, device=x.device)
    if y.numel() > 0:
        pad, n = 5 - len(shape), x.numel()
        sizes = [1] * pad + list(shape)
        strides = [v for a in (x, t) for v in [0] * pad + list(a.stride())]
        loss_kernel[(triton.cdiv(n, 256) if none else 1,)](
            x, t, y, n, n if reduction == "mean" else 1, *sizes[1:], *strides, BETA=float(beta), NONE=none,
            ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=256)
    return y
