# task: tanh_bf16
# style: make_graphed_callables-like helper that is used only while a capture is under way or asked for by an environment flag
import os

import torch
import triton
import triton.language as tl

USE_GRAPH = os.environ.get("TANH_GRAPH") == "1" and torch.cuda.is_available()


@triton.jit
def tanh_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    s = 2.0 * tl.sigmoid(2.0 * x) - 1.0
    q = x * x
    y = tl.where(tl.abs(x) < 0.25, x * (1.0 + q * (-0.33333334 + q * (0.13333334 - q * 0.05396825))), s)
    tl.store(y_ptr + i, y.to(tl.bfloat16), mask=i < n)


def run(x, y):
    tanh_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), BLOCK=512)


def graphed(shape, device, _cache={}):
    if shape not in _cache:
        x = torch.zeros(shape, dtype=torch.bfloat16, device=device)
        y = torch.empty_like(x)
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            run(x, y)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            run(x, y)
        _cache[shape] = graph, x, y
    return _cache[shape]


def tanh_bf16(input):
    x = input.contiguous()
    if x.numel() == 0:
        return torch.empty_like(x)
    if USE_GRAPH and not torch.cuda.is_current_stream_capturing():
        graph, static_x, static_y = graphed(tuple(x.shape), x.device)
        static_x.copy_(x)
        graph.replay()
        return static_y.clone()
    y = torch.empty_like(x)
    run(x, y)
    return y
