# task: symmetric_mm_and_abs_sum
# style: autotune with reset_to_zero: programs add to one number with an atomic, every trial starts from zero
import torch
import triton
import triton.language as tl

CONFIGS = [
    triton.Config({"BM": 16, "BK": 32}, num_warps=2, num_stages=2),
    triton.Config({"BM": 32, "BK": 16}, num_warps=4, num_stages=3),
]


@triton.autotune(configs=CONFIGS, key=["n", "m"], reset_to_zero=["sum_ptr"])
@triton.jit
def abs_sum_kernel(a_ptr, c_ptr, sum_ptr, n, m, alpha, beta, BM: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BM + tl.arange(0, BM)
    acc = tl.zeros((BM, BM), dtype=tl.float32)
    for k in range(0, m, BK):
        ks = k + tl.arange(0, BK)
        a = tl.load(a_ptr + rows[:, None] * m + ks[None, :], mask=(rows[:, None] < n) & (ks[None, :] < m), other=0.0)
        b = tl.load(a_ptr + cols[None, :] * m + ks[:, None], mask=(cols[None, :] < n) & (ks[:, None] < m), other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")
    inside = (rows[:, None] < n) & (cols[None, :] < n)
    c = tl.load(c_ptr + rows[:, None] * n + cols[None, :], mask=inside, other=0.0)
    tl.atomic_add(sum_ptr, tl.sum(tl.where(inside, tl.abs(alpha * acc + beta * c), 0.0)))


def symmetric_mm_and_abs_sum(A, C, alpha, beta):
    a, c = A.contiguous(), C.contiguous()
    n, m = a.shape
    total = torch.zeros((), dtype=torch.float32, device=a.device)
    if n > 0:
        grid = lambda meta: (triton.cdiv(n, meta["BM"]), triton.cdiv(n, meta["BM"]))
        abs_sum_kernel[grid](a, c, total, n, m, float(alpha), float(beta))
    return total
