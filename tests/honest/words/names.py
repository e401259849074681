# task: floor
# style: functions, variables and methods that are named like forbidden things: compile, eval, system, open, sleep
import torch
import triton
import triton.language as tl


@triton.jit
def exec_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    time = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + time, mask=time < n, other=0)
    tl.store(y_ptr + time, tl.floor(x.to(tl.float64)).to(x.dtype) if x.dtype.is_fp64() else tl.floor(x.to(tl.float32)).to(x.dtype), mask=time < n)


@triton.jit
def subprocess_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    system = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + system, tl.load(x_ptr + system, mask=system < n, other=0), mask=system < n)


class Session:
    """A tiny plan: compile() prepares, open() allocates, system() launches, eval() returns."""

    def compile(self, x):
        self.code = exec_kernel if x.dtype.is_floating_point else subprocess_kernel
        return self

    def open(self, x):
        self.socket, self.gc = x.contiguous(), torch.empty(x.shape, dtype=x.dtype, device=x.device)
        return self

    def system(self, sleep=512):
        n = self.socket.numel()
        if n:
            self.code[(triton.cdiv(n, sleep),)](self.socket, self.gc, n, BLOCK=sleep)
        return self

    def eval(self):
        return self.gc


def floor(input, out=None):
    exec_time = Session().compile(input).open(input).system()
    result = exec_time.eval()
    return result if out is None else out.copy_(result)
