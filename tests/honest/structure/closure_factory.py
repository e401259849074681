# task: fused_mul_sub
# style: a factory returns closures over the kernel and its options; nonlocal counts the launches for nobody
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, y_ptr, n, ALPHA: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + i, mask=i < n, other=0.0).to(ACC)
    b = tl.load(b_ptr + i, mask=i < n, other=0.0).to(ACC)
    c = tl.load(c_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, (a * b - tl.full((BLOCK,), ALPHA, ACC) * c).to(y_ptr.dtype.element_ty), mask=i < n)


def make(block):
    launches = 0

    def launch(a, b, c, y, alpha):
        nonlocal launches
        launches += 1
        acc = tl.float64 if y.dtype == torch.float64 else tl.float32
        kernel[(triton.cdiv(y.numel(), block),)](a, b, c, y, y.numel(), ALPHA=float(alpha), ACC=acc, BLOCK=block)

    launch.count = lambda: launches
    return launch


_launch = make(block=512)


def fused_mul_sub(input, other_mul, other_sub, alpha=1, out=None):
    def tensor(v):
        return v if isinstance(v, torch.Tensor) else torch.full((), v, dtype=input.dtype if input.dtype == torch.float64 else torch.float32, device=input.device)
    parts = [input, tensor(other_mul), tensor(other_sub)]
    shape = torch.broadcast_shapes(*(p.shape for p in parts))
    parts = [p.expand(shape).contiguous() for p in parts]
    y = torch.empty(shape, dtype=input.dtype, device=input.device)
    if y.numel() > 0:
        _launch(*parts, y, alpha)
    return y if out is None else out.copy_(y)
