"""Twelve programs that do their work."""

import threading

import kernels as k
import torch
import triton
from program import Program, normal, of

gelu_reference = torch.nn.functional.gelu


def gelu(x):
    y = torch.empty_like(x)
    k.gelu_kernel[k.blocks(x)](x, y, x.numel(), B=1024)
    return y


def softmax(x):
    y = torch.empty_like(x)
    k.softmax_kernel[(x.shape[0],)](x, y, x.stride(0), x.shape[1], B=triton.next_power_of_2(x.shape[1]))
    return y


def matmul(a, b, **options):
    c = torch.empty(a.shape[0], b.shape[1], device=a.device, dtype=a.dtype)
    grid = (a.shape[0] // 128, b.shape[1] // 128)
    k.matmul_kernel[grid](a, b, c, b.shape[1], a.shape[1], BM=128, BN=128, BK=64, num_warps=8, **options)
    return c


LENGTHS = [7, 1, 130, 64, 3, 99, 500, 220]


def metadata(x):
    offsets = [sum(LENGTHS[:n]) for n in range(len(LENGTHS) + 1)]
    offsets = torch.tensor(offsets, device=x.device, dtype=torch.int32)
    y = torch.empty(len(LENGTHS), x.shape[1], device=x.device)
    k.segment_kernel[(len(LENGTHS),)](x, offsets, y, C=x.shape[1])
    return y


def zeros_atomic(x):
    t, y = torch.zeros(1, device=x.device), torch.empty_like(x)
    k.sum_squares_kernel[k.blocks(x, 4096)](x, t, x.numel(), B=4096)
    k.normalise_kernel[k.blocks(x, 4096)](x, t, y, x.numel(), B=4096)
    return y


def chain(x):
    y = torch.empty_like(x)
    k.add_kernel[k.blocks(x)](x, y, x.numel(), 1.0, B=1024)
    for _ in range(7):
        k.add_kernel[k.blocks(x)](y, y, x.numel(), 1.0, B=1024)
    return y


def tma_device(x):
    triton.set_allocator(lambda size, align, stream: torch.empty(size, device="cuda", dtype=torch.int8))
    y = torch.empty_like(x)
    k.tma_device_kernel[(x.shape[0] // 64, x.shape[1] // 64)](x, y, *x.shape, BM=64, BN=64)
    return y


def tma_host(x):
    from triton.tools.tensor_descriptor import TensorDescriptor

    y = torch.empty_like(x)
    descriptors = [TensorDescriptor.from_tensor(t, [64, 64]) for t in (x, y)]
    k.tma_host_kernel[(x.shape[0] // 64, x.shape[1] // 64)](*descriptors, BM=64, BN=64)
    return y


def cooperative(x):
    n = x.numel()
    bar, y = torch.zeros(1, device=x.device, dtype=torch.int32), torch.empty(2 * n, device=x.device)
    k.cooperative_kernel[(n // 1024,)](x, y, bar, n, P=n // 1024, B=1024, launch_cooperative_grid=True)
    return y[n:]


def dependent_launch(x):
    y, z = torch.empty_like(x), torch.empty_like(x)
    k.gelu_kernel[k.blocks(x)](x, y, x.numel(), B=1024, launch_pdl=True)
    k.gelu_kernel[k.blocks(x)](y, z, x.numel(), B=1024, launch_pdl=True)
    return z


def thread(x):
    y = torch.empty_like(x)

    def work():
        torch.cuda.set_device(0)
        k.gelu_kernel[k.blocks(x)](x, y, x.numel(), B=1024)

    worker = threading.Thread(target=work)
    worker.start()
    worker.join()
    return y


def product(a, b):
    return (a.float() @ b.float()).half()


HALF = of(normal(2048, 2048, dtype=torch.float16), normal(2048, 2048, dtype=torch.float16))
ONE = {"launches": 1, "streams": 1, "to_host": 0, "constants": 0}
PROGRAMS = {
    "gelu": Program(gelu, of(normal(1 << 24)), gelu_reference, ONE),
    "softmax": Program(softmax, of(normal(8192, 4096)), lambda x: torch.softmax(x, 1), ONE),
    "matmul": Program(lambda a, b: matmul(a, b, num_stages=3), HALF, product, ONE, 0.25),
    "metadata": Program(
        metadata,
        of(normal(sum(LENGTHS), 256)),
        lambda x: torch.stack([part.sum(0) for part in torch.split(x, LENGTHS)]),
        {"launches": 1, "copies": 1, "to_host": 0},
        1e-3,
    ),
    "zeros_atomic": Program(zeros_atomic, of(normal(1 << 22)), lambda x: x / x.double().norm().float(), {"launches": 3}),
    "chain": Program(chain, of(normal(1 << 16)), lambda x: x + 8.0, {"launches": 8, "functions": 1}),
    "tma_device": Program(tma_device, of(normal(4096, 4096)), lambda x: x * 2.0 + 1.0, ONE),
    "tma_host": Program(tma_host, of(normal(4096, 4096)), lambda x: x * 3.0 - 1.0, ONE),
    "cluster": Program(lambda a, b: matmul(a, b, num_stages=2, num_ctas=2), HALF, product, ONE, 0.25),
    "cooperative": Program(cooperative, of(normal(1 << 17)), lambda x: x * 2.0 + 1.0, {"launches": 2}),
    "dependent_launch": Program(
        dependent_launch, of(normal(1 << 22)), lambda x: gelu_reference(gelu_reference(x)), {"launches": 2}
    ),
    "thread": Program(thread, of(normal(1 << 20)), gelu_reference, {"launches": 1}),
}
