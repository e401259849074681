# task: exp_sqrt
# style: heuristics that choose the block and whether it divides
import torch
import triton
import triton.language as tl


@triton.heuristics(
    {
        "BLOCK": lambda args: min(1024, triton.next_power_of_2(args["n"])),
        "EVEN": lambda args: args["n"] % min(1024, triton.next_power_of_2(args["n"])) == 0,
    }
)
@triton.jit
def kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(y_ptr + offsets, tl.exp(tl.load(x_ptr + offsets).to(ACC) * 0.5))
    else:
        mask = offsets < n
        tl.store(y_ptr + offsets, tl.exp(tl.load(x_ptr + offsets, mask=mask).to(ACC) * 0.5), mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n, tl.float64 if x.dtype == torch.float64 else tl.float32)
    if out is not None:
        out.copy_(y)
        return out
    return y
