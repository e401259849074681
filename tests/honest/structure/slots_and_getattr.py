# task: fused_log_tanh
# style: getattr(self, name) picks a method, setattr on an own object, __slots__, an item() that decides whether to raise
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, bad_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0).to(ACC)
    tl.atomic_or(bad_ptr, tl.max((x <= 0).to(tl.int32)))
    big = x > 1e4
    v = tl.where(big, 1.0, x)
    y = (v - 1) * (v + 1) / (v * v + 1)
    inv = 1.0 / tl.where(big, x, 1.0)
    y = tl.where(big, (1 - inv * inv) / (1 + inv * inv), y)
    tl.store(y_ptr + i, y.to(y_ptr.dtype.element_ty), mask=i < n)


class Job:
    __slots__ = ("x", "y", "flag")

    def __init__(self, x):
        for name, value in (("x", x), ("y", torch.empty_like(x)), ("flag", torch.zeros(1, dtype=torch.int32, device=x.device))):
            setattr(self, name, value)

    def step_launch(self):
        n = self.x.numel()
        if n:
            kernel[(triton.cdiv(n, 512),)](self.x, self.y, self.flag, n, ACC=tl.float64 if self.x.dtype == torch.float64 else tl.float32, BLOCK=512)

    def step_check(self):
        if self.flag.item():
            raise ValueError("an element is not positive")


def fused_log_tanh(input, out=None):
    job = Job(input.contiguous())
    for name in ("launch", "check"):
        getattr(job, "step_" + name)()
    return job.y if out is None else out.copy_(job.y)
