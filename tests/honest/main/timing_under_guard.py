# task: fused_exp_mean
# style: benchmarks under the main guard: do_bench, time.perf_counter, CUDA events, torch.compile as a rival
import time

import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    row = x_ptr + tl.program_id(0).to(tl.int64) * n
    acc = tl.zeros((BLOCK,), ACC)
    for s in range(0, n, BLOCK):
        k = s + tl.arange(0, BLOCK)
        acc += tl.exp(tl.load(row + k, mask=k < n, other=float("-inf")).to(ACC))
    tl.store(y_ptr + tl.program_id(0), (tl.sum(acc) / n).to(y_ptr.dtype.element_ty))


def fused_exp_mean(input, dim=None, keepdim=False, dtype=None, out=None):
    x = input
    dims = list(range(x.dim())) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    dims = sorted(d % x.dim() for d in dims) if x.dim() else []
    kept = [d for d in range(x.dim()) if d not in dims]
    shape = [1 if d in dims else s for d, s in enumerate(x.shape) if keepdim or d not in dims]
    dtype = dtype or (out.dtype if out is not None else x.dtype)
    n = 1
    for d in dims:
        n *= x.shape[d]
    if n == 0:
        y = torch.full(shape, float("nan"), dtype=dtype, device=x.device)
    else:
        y = torch.empty(shape, dtype=dtype, device=x.device)
        if y.numel() > 0:
            acc = tl.float64 if torch.float64 in (x.dtype, dtype) else tl.float32
            kernel[(y.numel(),)](x.permute(kept + dims).contiguous(), y, n, ACC=acc, BLOCK=512)
    return y if out is None else out.copy_(y)


if __name__ == "__main__":
    import subprocess
    print(subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout)
    x = torch.randn(4096, 4096, device="cuda")
    rival = torch.compile(lambda t: t.exp().mean(1))
    rival(x)
    for name, f in (("triton", lambda: fused_exp_mean(x, 1)), ("compiled", lambda: rival(x))):
        t0 = time.perf_counter()
        f()
        torch.cuda.synchronize()
        print(name, triton.testing.do_bench(f), time.perf_counter() - t0)
    open("/tmp/fused_exp_mean.log", "a").write("done\n")
