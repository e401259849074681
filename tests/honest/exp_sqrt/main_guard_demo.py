# task: exp_sqrt
# style: a demonstration under the main guard, a fallback for CPU tensors that never runs
import argparse
import sys
import time

import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, tl.exp(tl.load(x_ptr + offsets, mask=mask).to(ACC) * 0.5), mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        kernel[(triton.cdiv(n, 1024),)](x, y, n, tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=1024)
    if out is not None:
        out.copy_(y)
        return out
    return y


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=1 << 20)
    x = torch.randn(parser.parse_args().n, device="cuda")
    start = time.time()
    torch.testing.assert_close(exp_sqrt(x), torch.sqrt(torch.exp(x)))
    print("ok", time.time() - start)
    sys.exit(0)
