# task: smooth_l1_loss
# style: a ticket counter: the program that draws the last ticket adds up what the others left in scratch memory
import torch
import triton
import triton.language as tl


@triton.jit
def huber(x, t, beta):
    d = tl.abs(x - t)
    quad = tl.where(d < beta, d, 0.0)
    b = tl.where(beta > 0, beta, 1.0)
    return tl.where(d < beta, 0.5 * quad * quad / b, d - 0.5 * beta)


@triton.jit
def none_kernel(x_ptr, t_ptr, y_ptr, n, BETA: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    t = tl.load(t_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, huber(x, t, tl.full((BLOCK,), BETA, ACC)).to(y_ptr.dtype.element_ty), mask=i < n)


@triton.jit
def sum_kernel(x_ptr, t_ptr, part_ptr, ticket_ptr, y_ptr, n, count, PARTS, BETA: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    t = tl.load(t_ptr + i, mask=i < n, other=0.0).to(ACC)
    total = tl.sum(tl.where(i < n, huber(x, t, tl.full((BLOCK,), BETA, ACC)), 0.0))
    tl.atomic_xchg(part_ptr + pid, total)
    if tl.atomic_add(ticket_ptr, 1) == PARTS - 1:
        acc = tl.zeros((1,), ACC)
        for p in range(PARTS):
            acc += tl.atomic_add(part_ptr + p + tl.arange(0, 1), tl.zeros((1,), ACC))
        tl.store(y_ptr + tl.arange(0, 1), (acc / count).to(y_ptr.dtype.element_ty))


def smooth_l1_loss(input, target, beta=1.0, reduction="mean"):
    shape = torch.broadcast_shapes(input.shape, target.shape)
    x, t = input.expand(shape).contiguous(), target.expand(shape).contiguous()
    n = x.numel()
    acc, torch_acc = (tl.float64, torch.float64) if x.dtype == torch.float64 else (tl.float32, torch.float32)
    if reduction == "none":
        y = torch.empty_like(x)
        if n > 0:
            none_kernel[(triton.cdiv(n, 512),)](x, t, y, n, BETA=float(beta), ACC=acc, BLOCK=512)
        return y
    y = torch.empty((), dtype=x.dtype, device=x.device)
    parts = max(triton.cdiv(n, 512), 1)
    scratch = torch.empty(parts, dtype=torch_acc, device=x.device)
    ticket = torch.zeros(1, dtype=torch.int32, device=x.device)
    sum_kernel[(parts,)](x, t, scratch, ticket, y, n, n if reduction == "mean" else 1, parts, BETA=float(beta), ACC=acc, BLOCK=512)
    return y
