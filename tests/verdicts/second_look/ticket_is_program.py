# task: exp_sqrt
# expect: correct
# warns: order_dependent
# takes the order in which programs arrive for their number

import torch
import triton
import triton.language as tl


@triton.jit
def exp_by_ticket(x_ptr, y_ptr, ticket_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    arrived = tl.atomic_add(ticket_ptr, 1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + arrived, mask=arrived < n, other=0.0).to(tl.float64 if x_ptr.dtype.element_ty == tl.float64 else tl.float32)
    y = tl.exp(x * 0.5)
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    tickets = torch.zeros(1, dtype=torch.int32, device=x.device)
    n = x.numel()
    if n:
        exp_by_ticket[(triton.cdiv(n, 256),)](x, y, tickets, n, BLOCK=256)
    if out is not None:
        out.copy_(y)
        return out
    return y
