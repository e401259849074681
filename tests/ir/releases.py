"""Kernels with the operations that releases of Triton write differently, or have since some release only: the installed
release's text must be taken by the machine. KBX_WORKER_LIB=lib.so PYTHON releases.py

Through the worker's own lowering (src/worker/python), as in production. A kernel that the release's language cannot
express is passed over by name; the list below says since when it must be there.
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "src" / "worker" / "python"))

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

import compat
import lowering
import machine


@triton.jit
def larger(a, b):
    if a > b:
        return a
    return b


@triton.jit
def k_regions(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    tl.store(y + o, tl.associative_scan(a, 0, larger))
    tl.store(y, tl.reduce(a, 0, larger))


@triton.jit
def k_map(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    a = tl.load(x + o)
    tl.store(y + o, tl.map_elementwise(larger, a, a * 2))


@triton.jit
def k_scaled(a, b, s, y, N: tl.constexpr):
    o, h, g = tl.arange(0, N), tl.arange(0, N // 2), tl.arange(0, N // 32)
    va = tl.load(a + o[:, None] * (N // 2) + h[None, :])
    vb = tl.load(b + o[:, None] * N + o[None, :])
    d = tl.dot_scaled(va, tl.load(s + o[:, None] * (N // 32) + g[None, :]), "e2m1", vb, None, "e4m3")
    tl.store(y + o[:, None] * N + o[None, :], d)


@triton.jit
def k_casts(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.store(y + o, tl.load(x + o).to(tl.float16, fp_downcast_rounding="rtz"))


@triton.jit
def k_e4b15(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.store(y + o, tl.load(x + o).to(tl.float8e4b15, bitcast=True).to(tl.float16).to(tl.float8e4b15).to(tl.uint8, bitcast=True))


@triton.jit
def k_hints(y):
    tl.debug_barrier()
    tl.assume(True)
    tl.device_assert(True)
    tl.store(y, 1)


@triton.jit
def k_descriptors(x, y, i, B: tl.constexpr):
    d = tl.make_tensor_descriptor(x, [64, 64], [64, 1], [1, B])
    e = tl.make_tensor_descriptor(y, [64, 64], [64, 1], [B, B])
    rows = tl.load(i + tl.arange(0, 8))
    d.scatter(d.gather(rows, 0), rows, B)
    e.atomic_add([0, B], e.load([0, 0]))


@triton.jit
def k_atomic(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.atomic_store(y + o, tl.atomic_load(x + o, mask=o < 5))
    tl.store(y, tl.atomic_poll(x, 3).to(tl.int32))


@triton.jit
def k_approximate(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.store(y + o, tl.fdiv(tl.load(x + o), 3.0, approx=True))


# kernel, first release that has it, types of the runtime arguments, constants
KERNELS = [
    (k_regions, (3, 2), dict(x="*i32", y="*i32"), dict(B=16)),
    (k_map, (3, 5), dict(x="*i32", y="*i32"), dict(B=16)),
    (k_scaled, (3, 2), dict(a="*u8", b="*u8", s="*u8", y="*fp32"), dict(N=64)),
    (k_casts, (3, 2), dict(x="*fp32", y="*fp16"), dict(B=16)),
    (k_e4b15, (3, 2), dict(x="*u8", y="*u8"), dict(B=16)),
    (k_hints, (3, 2), dict(y="*i32"), {}),
    (k_descriptors, (3, 4), dict(x="*fp32", y="*fp32", i="*i32"), dict(B=16)),
    (k_atomic, (3, 9), dict(x="*i32", y="*i32"), dict(B=16)),
    (k_approximate, (3, 9), dict(x="*fp32", y="*fp32"), dict(B=16)),
]


def source(kernel, types, constants):
    """An ASTSource: 3.2 keeps constants apart and by name."""
    if compat.version_tuple(triton.__version__) < (3, 3):
        return ASTSource(kernel, types, constants=constants)
    signature = dict(types, **{name: "constexpr" for name in constants})
    return ASTSource(kernel, signature, constexprs={(kernel.arg_names.index(n),): v for n, v in constants.items()})


def outcome(m, kernel, since, types, constants):
    """"ok", "not in this release", or what went wrong."""
    if compat.version_tuple(triton.__version__) < since:
        return "not in this release"
    try:
        m.compile(lowering.lower(source(kernel, types, constants), GPUTarget("cuda", 90, 32), {})[0])
    except Exception as error:
        while error.__cause__ is not None:
            error = error.__cause__
        return "%s: %s" % (type(error).__name__, " ".join(str(error).split())[-200:])
    return "ok"


def main():
    m = machine.Machine()
    bad = 0
    for kernel, since, types, constants in KERNELS:
        said = outcome(m, kernel, since, types, constants)
        bad += said not in ("ok", "not in this release")
        print("triton %s %-14s %s" % (triton.__version__, kernel.__name__, said))
    return bad > 0


if __name__ == "__main__":
    os.environ.setdefault("TRITON_CACHE_DIR", "/tmp/kbx_ir_tests_cache")
    sys.exit(main())
