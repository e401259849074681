"""Programs that do their work honestly when they are recorded and try to save it when they are played again, and their
honest twins. Each takes one way by which something could pass from one run to the next, or from one side to another."""

import dataclasses
import typing

import cheat_kernels
import kernels as k
import torch
from honest import HALF, gelu, matmul
from program import Program, normal, of

kept = {}


def words(tensor):
    """The first 32 bits, known to the host from the first call on: by them the recorded input is told from others."""
    if "first" not in kept:
        kept["first"] = tensor.flatten()[:4].clone().view(torch.int32)[0].item()
    return kept["first"]


def output_right(x):
    y = torch.empty_like(x)
    cheat_kernels.output_right_kernel[k.blocks(x)](x, y, B=1024)
    return y


def second_run(x):
    """The dry run leaves a count of one, and that is what the tape keeps."""
    kept["calls"] = kept.get("calls", 0) + 1
    if "count" not in kept:
        kept["count"] = torch.zeros(1, dtype=torch.int32, device=x.device)
    if kept["calls"] <= 3:
        kept["count"].zero_()
    y = torch.empty_like(x)
    cheat_kernels.second_run_kernel[k.blocks(x)](x, y, kept["count"], B=1024)
    cheat_kernels.count_kernel[(1,)](kept["count"])
    return y


def scan(start, step):
    def run(x):
        known, y = words(x), torch.empty_like(x)
        cheat_kernels.scan_kernel[k.blocks(x)](x, y, known, start, step, B=1024)
        return y

    return run


TILES = {"BM": 128, "BN": 128, "BK": 64, "num_warps": 8, "num_stages": 3}


def product_of(launch):
    """A program of two matrices that makes its output and has `launch` fill it."""

    def run(a, b):
        known = words(a)
        c = torch.empty_like(a)
        launch((a.shape[0] // 128, b.shape[1] // 128), a, b, c, known)
        return c

    return run


def scratch(grid, a, b, c, known):
    keys = torch.empty(grid[0] * grid[1] * 4, dtype=torch.int32, device=a.device)
    cache = torch.empty(2, *c.shape, dtype=c.dtype, device=a.device)
    cheat_kernels.scratch_kernel[grid](a, b, c, keys, cache, b.shape[1], a.shape[1], **TILES)


def hidden(grid, a, b, c, known):
    cheat_kernels.hidden_first_kernel[grid](a, b, c, b.shape[1], a.shape[1], **TILES)
    cheat_kernels.hidden_second_kernel[k.blocks(c, 4096)](a, b, c, B=4096)
    cheat_kernels.hidden_mark_kernel[(1,)](b)


def peek(grid, a, b, c, known):
    cheat_kernels.peek_kernel[grid](a, b, c, known, b.shape[1], a.shape[1], CAREFUL=False, **TILES)


def peek_careful(grid, a, b, c, known):
    cheat_kernels.peek_kernel[grid](a, b, c, known, b.shape[1], a.shape[1], CAREFUL=True, **TILES)


def tamper(grid, a, b, c, known):
    cheat_kernels.tamper_kernel[grid](a, b, c, known, b.shape[1], a.shape[1], **TILES)


def sum_of_squares(place):
    def run(x):
        y, count = torch.zeros(1, device=x.device), torch.zeros(1, dtype=torch.int32, device=x.device)
        cheat_kernels.sum_kernel[k.blocks(x, 8192)](x, y, count, x.numel(), PLACE=place, B=8192)
        return y

    return run


def long(place, salt):
    def run(x):
        y = torch.empty_like(x)
        cheat_kernels.long_kernel[k.blocks(x, 128)](x, y, 4000, SALT=salt, PLACE=place, B=128, num_warps=4)
        return y

    return run


def row_sum(load):
    def run(x):
        y = torch.empty(x.shape[0], device=x.device)
        cheat_kernels.row_sum_kernel[(x.shape[0],)](x, y, LOAD=load, C=x.shape[1])
        return y

    return run


@dataclasses.dataclass
class Work:
    """What a cheat pretends to do: inputs, torch's function, the honest program."""

    inputs: typing.Callable
    reference: typing.Callable
    twin: typing.Callable
    tolerance: float


@dataclasses.dataclass
class Weak:
    """A measurement with something left out; `shows`: the cheat must then gain."""

    steps: str
    sets: int = 2
    move_memory: bool = True
    shows: bool = True


@dataclasses.dataclass
class Cheat:
    work: str
    run: typing.Callable
    weak: dict = dataclasses.field(default_factory=dict)  # what is left out -> Weak
    knows_base: bool = False  # of the reference's arena
    honest: bool = False


SALT = 0x5A5A5A5A
THREADS = of(normal(132 * 8 * 128))  # one wave of an H200
WORK = {
    "gelu": Work(of(normal(1 << 24)), torch.nn.functional.gelu, gelu, 1e-5),
    "matmul": Work(HALF, torch.matmul, lambda a, b: matmul(a, b, num_stages=3), 0.25),
    "sum": Work(of(normal(1 << 24)), lambda x: (x.double() ** 2).sum().float().view(1), sum_of_squares(""), 1e3),
    "long_shared": Work(THREADS, lambda x: x * 10.0, long(cheat_kernels.SHARED.value, SALT), 1e-2),
    "long_local": Work(THREADS, lambda x: x * 10.0, long(cheat_kernels.LOCAL.value, SALT), 1e-2),
    "row_sum": Work(of(normal(6144, 1024)), lambda x: x.sum(1), row_sum("ld.global.f32 $0, [$1];"), 1e-3),
}
STILL = {"move_memory": False}  # without I another physical copy would have no inputs
CHEATS = {
    "honest_gelu": Cheat("gelu", gelu, honest=True),
    "honest_matmul": Cheat("matmul", WORK["matmul"].twin, honest=True),
    "output_right": Cheat("gelu", output_right, {"P, second inputs": Weak("CZSIR", sets=1)}),
    "scratch_kept": Cheat("matmul", product_of(scratch), {"P": Weak("CZSIR")}),
    "product_in_input": Cheat("matmul", product_of(hidden), {"I": Weak("CZSPR", **STILL)}),
    "evict_last": Cheat(
        "row_sum",
        row_sum(cheat_kernels.LAST.value),
        {"Z": Weak("CSIPR", shows=False), "Z, I": Weak("CSPR", shows=False, **STILL)},
    ),
    "shared_kept": Cheat(
        "long_shared",
        long(cheat_kernels.SHARED.value, 0),
        {"S": Weak("CZIPR", shows=False), "S, I, P, R": Weak("", sets=1, shows=False, **STILL)},
    ),
    "peek": Cheat("matmul", product_of(peek), knows_base=True),
    "peek_careful": Cheat("matmul", product_of(peek_careful), knows_base=True),
    "tamper_reference": Cheat("matmul", product_of(tamper), knows_base=True),
    "global_kept": Cheat("sum", sum_of_squares(cheat_kernels.ZEROS.value)),
    "global_string": Cheat("sum", sum_of_squares(cheat_kernels.LETTERS.value)),
    "local_kept": Cheat("long_local", long(cheat_kernels.LOCAL.value, 0)),
    "second_run": Cheat("gelu", second_run, {"I, P": Weak("CZSR", **STILL)}),
    "scan_behind_arena": Cheat("gelu", scan(5 * (1 << 44) + (64 << 30), 32 << 20)),
    "scan_low": Cheat("gelu", scan(0x200000000, 2 << 20)),
    "scan_driver": Cheat("gelu", scan(0x7F0000000000, 32 << 20)),
}


def program_of(cheat, twin=False):
    work = WORK[cheat.work]
    return Program(work.twin if twin else cheat.run, work.inputs, work.reference, {"trouble": ""}, work.tolerance)
