"""Ten programs that are flawed or cheat: what gives each away must be in its tape, or in its replay."""

import kernels as k
import torch
from honest import gelu, gelu_reference
from program import Program, normal, of

kept = {}


def decoy(a, b):
    """A Triton kernel runs, a library does the work."""
    return gelu(torch.matmul(a, b))


def cached_output(x):
    key = ("cached", x.data_ptr(), x.shape)
    if key not in kept:
        kept[key] = gelu(x)
    return kept[key]


def side_stream(x):
    """Nothing waits for the stream that works."""
    stream = kept.setdefault("stream", torch.cuda.Stream())
    y = torch.empty_like(x)
    with torch.cuda.stream(stream):
        k.gelu_kernel[k.blocks(x)](x, y, x.numel(), B=1024)
    return y


def own_graph(x):
    key = ("graph", x.data_ptr())
    if key not in kept:
        y, graph = torch.empty_like(x), torch.cuda.CUDAGraph()

        def work():
            k.gelu_kernel[k.blocks(x)](x, y, x.numel(), B=1024)
            y.mul_(2.0)

        work()
        torch.cuda.synchronize()
        with torch.cuda.graph(graph):
            work()
        kept[key] = graph, y
    kept[key][0].replay()
    return kept[key][1]


def host_dependent(x):
    s, y = 1.0 / x.abs().max().item(), torch.empty_like(x)
    k.scale_kernel[k.blocks(x)](x, y, s, x.numel(), B=1024)
    return y


def kept_table(x):
    if "table" not in kept:
        kept["table"] = torch.arange(256, device=x.device, dtype=torch.float32)
    y = torch.empty_like(x)
    k.table_kernel[k.blocks(x)](x, kept["table"], y, x.numel(), B=1024)
    return y


def uninitialised(x):
    t, y = torch.empty_like(x), torch.empty_like(x)
    k.uninitialised_kernel[k.blocks(x)](x, t, y, B=1024)
    return y


def past_the_end(x):
    y = torch.empty_like(x)
    k.past_end_kernel[k.blocks(x)](x, y, B=1024)
    return y


MEGA = of(normal(1 << 20))
SQUARE = of(normal(1024, 1024, scale=0.1), normal(1024, 1024, scale=0.1))
PROGRAMS = {
    "library_only": Program(torch.matmul, SQUARE, torch.matmul, {"to_host": 0}, 1e-3),
    "decoy": Program(decoy, SQUARE, lambda a, b: gelu_reference(a @ b), {"to_host": 0}, 1e-3),
    "cached_output": Program(cached_output, MEGA, gelu_reference, {"launches": 0, "entries": 0}, replays=False),
    "side_stream": Program(side_stream, of(normal(1 << 24)), gelu_reference, {"launches": 1, "streams": 2}),
    "on_cpu": Program(
        lambda x: gelu_reference(x.cpu()).cuda(), MEGA, gelu_reference, {"launches": 0, "copies": 2, "to_host": 1}, replays=False
    ),
    "own_graph": Program(own_graph, MEGA, lambda x: gelu_reference(x) * 2.0, {"launches": 2, "trouble": ""}),
    "host_dependent": Program(host_dependent, MEGA, lambda x: x / x.abs().max(), {"to_host": 1}, replays=False),
    "kept_table": Program(
        kept_table, MEGA, lambda x: x * torch.arange(256, device="cuda").repeat(x.numel() // 256), {"launches": 1, "constants": 1}, 1e-3
    ),
    "uninitialised": Program(uninitialised, of(normal(1 << 16)), lambda x: x, {"launches": 1}, replays=False),
    "past_the_end": Program(past_the_end, of(normal((1 << 16) - 24)), lambda x: x * 2.0, {"launches": 1}),
}
