# task: exp_sqrt
# style: autotune with a pruning function and keys
import torch
import triton
import triton.language as tl


def prune(configs, named_args, **kwargs):
    n = named_args["n"]
    kept = [c for c in configs if c.kwargs["BLOCK"] <= max(256, triton.next_power_of_2(n))]
    return kept or configs[:1]


@triton.autotune(
    configs=[triton.Config({"BLOCK": b}, num_warps=w, num_stages=s) for b in (256, 1024) for w in (2, 4) for s in (2, 3)],
    key=["n"],
    prune_configs_by={"early_config_prune": prune},
)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    acc = tl.exp(x.to(tl.float32) * 0.5) if x_ptr.dtype.element_ty != tl.float64 else tl.exp(x * 0.5)
    tl.store(y_ptr + offsets, acc.to(y_ptr.dtype.element_ty), mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n)
    if out is not None:
        out.copy_(y)
        return out
    return y
