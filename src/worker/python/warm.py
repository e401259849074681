"""What the zygote does once so that no child has to: imports, Triton's own hash, a lowering, a compilation for the GPU
path, one launch on the machine. Nothing here starts a thread."""

import linecache
import os
import shutil
import tempfile

KERNEL = """import triton
import triton.language as tl


@triton.jit
def kbx_warm(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o, mask=o < n, other=0.0)
    tl.store(y + o, tl.exp(v) + tl.sum(v), mask=o < n)
"""
FIXED = {"signature": {"x": "*fp32", "y": "*fp32", "n": "i32", "B": "constexpr"}, "constants": {"B": 64}}


def kernel():
    name = "<kbx_warm>"
    linecache.cache[name] = (len(KERNEL), None, KERNEL.splitlines(True), name)
    scope = {"__name__": "kbx_warm"}
    exec(compile(KERNEL, name, "exec"), scope)
    return scope["kbx_warm"]


def source(function):
    import inspect

    from triton.compiler import ASTSource

    fields = inspect.signature(ASTSource.__init__).parameters
    if "constexprs" in fields:
        return ASTSource(function, dict(FIXED["signature"]), constexprs=dict(FIXED["constants"]))
    signature = {name: kind for name, kind in FIXED["signature"].items() if kind != "constexpr"}
    return ASTSource(function, signature, constants=dict(FIXED["constants"]))


def run_machine(library, function):
    """The warm kernel through Triton's own launch path on the machine: checks the binding and the values."""
    import math

    import compat
    import ir_host
    import torch
    from launches import Launches
    from observer import Observer, ObserverMode

    watcher = Observer()
    launches = Launches(
        ir_host.Machine(library), watcher, {"undefined": True, "races": True, "counts": True}, seconds=5.0
    )
    original = compat.patch_compile(launches.compile)
    try:
        with ObserverMode(watcher):
            x = torch.linspace(-1, 1, 64)
            y = torch.empty_like(x)
            function[(1,)](x, y, 64, B=64)
    finally:
        compat.patch_compile(original)
    total = float(x.double().sum())
    wrong = max(abs(math.exp(a) + total - b) for a, b in zip(x.tolist(), y.tolist()))
    if launches.findings or launches.count != 1 or not wrong < 1e-4:
        raise ir_host.MachineError(
            "the IR machine computes the self-test wrongly (off by %g, %s)" % (wrong, launches.findings)
        )


def warm(library, cc=90):
    """Returns notes. Raises lowering.LoweringError, ir_host.MachineError."""
    import compat
    import lowering
    import stub_driver
    import torch
    import triton.compiler
    import triton.testing  # noqa: F401
    from triton.backends.compiler import GPUTarget

    notes = []
    torch.set_num_threads(1)
    if compat.newest_arch() < 1000:
        notes.append("triton %s compiles up to sm_%d only" % (triton.__version__, compat.newest_arch()))
    folder = tempfile.mkdtemp(prefix="kbx-warm-")
    os.environ["TRITON_CACHE_DIR"] = folder
    try:
        compat.triton_key()
        compat.warm_lookups(sorted(stub_driver.DEVICES))
        compat.set_active_driver(stub_driver.StubDriver(cc))
        function = kernel()
        text, _ = lowering.lower(source(function), GPUTarget("cuda", cc, 32), {"num_warps": 4})
        lowering.self_test(text)
        try:
            triton.compiler.compile(source(function), target=GPUTarget("cuda", cc, 32), options={"num_warps": 4})
        except Exception as error:
            notes.append("compiling for sm_%d fails here: %s" % (cc, str(error)[:300]))
        run_machine(library, function)
    finally:
        os.environ.pop("TRITON_CACHE_DIR", None)
        shutil.rmtree(folder, ignore_errors=True)
    return notes
