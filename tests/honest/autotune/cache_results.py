# task: log
# style: TritonBench-like perf_report at module level, triton.testing helpers, best_config looked at after the launch
import torch
import triton
import triton.language as tl
import triton.testing


@triton.autotune(configs=[triton.Config({"BLOCK": 256}), triton.Config({"BLOCK": 1024}, num_warps=8)], key=["n"])
@triton.jit
def log_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0).to(ACC)
    tl.store(y_ptr + i, tl.log(x).to(y_ptr.dtype.element_ty), mask=i < n)


def log(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        log_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n, ACC=tl.float64 if x.dtype == torch.float64 else tl.float32)
        best = getattr(log_kernel, "best_config", None)
        if best is not None and best.num_warps > 32:
            raise RuntimeError("no such configuration: %s" % best)
    return y if out is None else out.copy_(y)


@triton.testing.perf_report(triton.testing.Benchmark(
    x_names=["N"], x_vals=[2**i for i in range(12, 24)], line_arg="provider", line_vals=["triton", "torch"],
    line_names=["Triton", "Torch"], ylabel="GB/s", plot_name="log", args={}))
def benchmark(N, provider):
    x = torch.rand(N, device="cuda")
    fn = (lambda: log(x)) if provider == "triton" else (lambda: torch.log(x))
    ms = triton.testing.do_bench(fn)
    return 2 * x.numel() * 4 / ms * 1e-6


if __name__ == "__main__":
    benchmark.run(print_data=True, show_plots=False)
