"""What the recorder must get right beyond the forty programs: events, blocking streams, copies, captures, memory."""

import ctypes

import kernels as k
import torch
from honest import gelu, gelu_reference
from program import Program, normal, of

kept = {}


def joined_streams(x):
    """Two halves on two streams, forked and joined by events."""
    stream = kept.setdefault("stream", torch.cuda.Stream())
    y, half = torch.empty_like(x), x.numel() // 2
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        k.gelu_kernel[(half // 1024,)](x, y, half, B=1024)
    k.gelu_kernel[(half // 1024,)](x[half:], y[half:], half, B=1024)
    torch.cuda.current_stream().wait_stream(stream)
    return y.add_(1.0)


def host_joined(x):
    """The host waits for one stream and then gives work to another."""
    stream = kept.setdefault("host", torch.cuda.Stream())
    y, z = torch.empty_like(x), torch.empty_like(x)
    torch.cuda.current_stream().synchronize()
    with torch.cuda.stream(stream):
        k.gelu_kernel[k.blocks(x)](x, y, x.numel(), B=1024)
    stream.synchronize()
    k.add_kernel[k.blocks(x)](y, z, x.numel(), 1.0, B=1024)
    return z


def capture_each_call(x):
    """A graph is made and launched in every call."""
    y, graph = torch.empty_like(x), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        k.gelu_kernel[k.blocks(x)](x, y, x.numel(), B=1024)
    graph.replay()
    kept["last"] = graph
    return y


def branched_graph(x):
    if "branched" not in kept:
        y, z, graph, side = torch.empty_like(x), torch.empty_like(x), torch.cuda.CUDAGraph(), torch.cuda.Stream()
        gelu(x)
        torch.cuda.synchronize()
        with torch.cuda.graph(graph):
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                k.add_kernel[k.blocks(x)](x, z, x.numel(), 1.0, B=1024)
            k.gelu_kernel[k.blocks(x)](x, y, x.numel(), B=1024)
            torch.cuda.current_stream().wait_stream(side)
            y.add_(z)
        kept["branched"] = graph, y, z
    kept["branched"][0].replay()
    return kept["branched"][1]


def copy_2d(x):
    """Rows of a wider matrix by the runtime's two-dimensional copy."""
    y = torch.zeros(x.shape[0], x.shape[1] // 2, device=x.device)
    runtime = torch.cuda.cudart()
    function = getattr(runtime, "cudaMemcpy2DAsync", None)
    if function is None:
        driver = ctypes.CDLL("libcuda.so.1")

        class Copy(ctypes.Structure):
            _fields_ = [
                (name, kind)
                for side in ("src", "dst")
                for name, kind in (
                    (side + "X", ctypes.c_size_t),
                    (side + "Y", ctypes.c_size_t),
                    (side + "Type", ctypes.c_int),
                    (side + "Host", ctypes.c_void_p),
                    (side + "Device", ctypes.c_uint64),
                    (side + "Array", ctypes.c_void_p),
                    (side + "Pitch", ctypes.c_size_t),
                )
            ] + [("width", ctypes.c_size_t), ("height", ctypes.c_size_t)]

        c = Copy(srcType=2, srcDevice=x.data_ptr(), srcPitch=x.shape[1] * 4, dstType=2, dstDevice=y.data_ptr())
        c.dstPitch, c.width, c.height = y.shape[1] * 4, y.shape[1] * 4, x.shape[0]
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        code = driver.cuMemcpy2DAsync_v2(ctypes.byref(c), stream)
        assert code == 0, code
    return y


def in_place(x):
    k.add_kernel[k.blocks(x)](x, x, x.numel(), 1.0, B=1024)
    return x


def too_much(x):
    """More memory than any card has: torch's error, and the process lives."""
    try:
        torch.empty(1 << 47, device="cuda", dtype=torch.uint8)
    except RuntimeError as error:
        assert "out of memory" in str(error), str(error)
        return gelu(x)
    raise AssertionError("128 TiB were given")


def hundred_gigabytes(x):
    held = []
    try:
        for _ in range(64):
            held.append(torch.empty(100 << 30, device="cuda", dtype=torch.uint8))
    except RuntimeError as error:
        assert "out of memory" in str(error), str(error)
        held.clear()
        return gelu(x)
    raise AssertionError("6.4 TB were given")


def structure(x):
    return {"a": [x + 1.0, x * 2.0], "b": (x.t(), None, 3)}


def pinned(x):
    y = torch.full((256,), 2.0).pin_memory().to(x.device, non_blocking=True)
    return x * y.repeat(x.numel() // 256)


def cpu_output(x):
    return (x + 1.0).cpu()


MEGA = of(normal(1 << 20))
PROGRAMS = {
    "joined_streams": Program(joined_streams, MEGA, lambda x: gelu_reference(x) + 1.0, {"launches": 3, "streams": 2, "events": 3}),
    "host_joined": Program(host_joined, MEGA, lambda x: gelu_reference(x) + 1.0, {"launches": 2, "streams": 2, "events": 2}),
    "capture_each_call": Program(capture_each_call, MEGA, gelu_reference, {"launches": 3}),  # with torch's two fills for its random state
    "branched_graph": Program(branched_graph, MEGA, lambda x: gelu_reference(x) + x + 1.0, {"launches": 3}),
    "copy_2d": Program(copy_2d, of(normal(256, 512)), lambda x: x[:, :256].contiguous(), {"copies": 1}),
    "in_place": Program(in_place, MEGA, lambda x: x + 1.0, {"launches": 1}),
    "too_much": Program(too_much, MEGA, gelu_reference, {"launches": 1}),
    "hundred_gigabytes": Program(hundred_gigabytes, MEGA, gelu_reference, {"launches": 1}),
    "structure": Program(structure, of(normal(64, 128)), structure, {"outputs": 3}),
    "pinned": Program(pinned, MEGA, lambda x: x * 2.0, {"to_host": 0}),
    "cpu_output": Program(cpu_output, MEGA, lambda x: x + 1.0, {"trouble": "lies on the cpu"}, replays=False),
}
