import torch
import triton
import triton.language as tl


@triton.jit
def shrink(v, lambd):
    return tl.where((v >= -lambd) & (v <= lambd), 0.0, v)


@triton.jit
def dropout_shrink_kernel(x_ptr, kept_ptr, out_ptr, n, p, inv_keep: tl.constexpr, lambd: tl.constexpr, seed,
                          RANDOM: tl.constexpr, WRITE_KEPT: tl.constexpr, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    x = tl.load(x_ptr + i, mask=inside, other=0.0)
    x = x.to(tl.float64) if WIDE else x.to(tl.float32)
    if RANDOM:
        keep = tl.rand(seed, i) >= p
        x = tl.where(keep, x * inv_keep, 0.0)
    if WRITE_KEPT:
        tl.store(kept_ptr + i, x, mask=inside)
    tl.store(out_ptr + i, shrink(x, lambd), mask=inside)


def fused_hardshrink_dropout(input, p=0.5, training=True, inplace=False, lambd=0.5):
    x = input.contiguous()
    out = torch.empty_like(x)
    random = bool(training) and p > 0.0
    write = random and inplace
    kept = torch.empty_like(x) if write else x
    n = x.numel()
    if n:
        seed = torch.randint(0, 2**31 - 1, (1,)).item() if random else 0
        inv_keep = 0.0 if p >= 1.0 else 1.0 / (1.0 - p)
        dropout_shrink_kernel[(triton.cdiv(n, 512),)](
            x, kept, out, n, float(p), inv_keep, float(lambd), seed,
            RANDOM=random, WRITE_KEPT=write, WIDE=x.dtype == torch.float64, BLOCK=512,
        )
    if write:
        input.copy_(kept)
    return out
