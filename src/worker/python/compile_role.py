"""The compile child: every launch is compiled for each architecture by the real compiler under the stub driver; nothing
runs. The deciding architecture goes first and its refusal reaches the candidate, as on a GPU; the others follow, also
where the first refuses: what one generation cannot run another may.

While an autotuner tries its configurations only the deciding architecture is compiled; the one it settles on is then
compiled for all. A configuration that is refused is passed over by the autotuner and told only if the call fails. Launches that differ only in what the JIT specialises by value (divisibility, arguments equal to 1)
are compiled once; with a budget, what is left when it is spent is not compiled (the front end still sees every launch
in the value child). Registers, stack and spills are read from the report that ptxas writes while Triton compiles.
"""

import contextlib
import linecache
import re
import subprocess
import time

import compat
import errors
from calls import prepare
from device_shim import CUDA, DeviceShim
from drive import made
from launcher_build import LauncherBuild
from stub_driver import StubDriver, shared_limit
from triton.backends.compiler import GPUTarget
from trusted import private_builtins
from values import Decoder

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

_clock = time.perf_counter
_PASSED_OVER = {"OutOfResources", "CompileTimeAssertionFailure", "PTXASError"}  # what Triton's autotuner lives with
_USED = re.compile(r"Used (\d+) registers")
_FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")


class PtxasLog:
    """Stands in for the `subprocess` of Triton's NVIDIA backend: keeps what `ptxas -v` wrote to its log file."""

    def __init__(self):
        self.text = ""

    def __getattr__(self, name):
        return getattr(subprocess, name)

    def run(self, command, *args, **kwargs):
        log = kwargs.get("stderr")
        try:
            return subprocess.run(command, *args, **kwargs)
        finally:
            if hasattr(log, "name"):
                try:
                    with open(log.name, encoding="utf-8", errors="replace") as file:
                        self.text = file.read(1 << 20)
                except OSError:
                    pass


def resources(log):
    """registers, stack, spill bytes of a ptxas report; None where there is none (a kernel that came from the cache).
    Before CUDA 12.8 ptxas names the stack frame only where there is one."""
    used, frame = _USED.findall(log), _FRAME.findall(log)
    frame = frame or ([(0, 0, 0)] if used else [])
    registers = max(map(int, used)) if used else None
    stack, stores, loads = (max(map(int, column)) for column in zip(*frame)) if frame else (None, None, None)
    return {"registers": registers, "stack": stack, "spill_stores": stores, "spill_loads": loads}


class CompileRole:
    def __init__(self, machine, load):
        self._archs = [int(cc) for cc in load.get("archs") or [load.get("arch", 90)]]
        self._cc = int(load.get("arch", self._archs[0]))
        self._shim = DeviceShim(self._cc, bench=self._trial)
        self._rows, self._seen, self._options, self._refused = [], set(), {}, set()
        self._passed = []
        self._trying, self._launches = 0, {}
        self._ptxas, self._protocol = PtxasLog(), load.get("protocol")
        self._compile = None
        self._launchers = LauncherBuild() if load.get("kernels") == "fill" else None
        self._cache_only = False  # a call whose inputs are not there: it fills the cache and adds no rows
        self._budget, self._spent, self._alike, self.skipped = float(load.get("compile_seconds") or 0), 0.0, {}, 0

    def watch(self):
        return contextlib.nullcontext()

    def install(self):
        role = self

        class Launcher:
            def __init__(self, src, metadata):
                self._src, self._metadata = src, metadata

            def __call__(self, grid_x, grid_y, grid_z, *args):
                if not role._trying:
                    role._launched(self._src, (grid_x, grid_y, grid_z))

        compat.replace_subprocess(self._ptxas)
        compat.set_active_driver(StubDriver(self._cc, Launcher, self._trial))
        self._compile = compat.patch_compile(self._deciding)
        self._shim.enter()

    def leave(self):
        self._shim.leave()

    def fatal(self):
        return None

    def _trial(self, call):
        if self._budget and self._spent > self._budget / 2:
            self.skipped += 1
            return
        self._trying += 1
        try:
            call()
        finally:
            self._trying -= 1

    def _one(self, src, cc, options):
        """Compiles for one architecture and adds the table's row. Returns (kernel, exception)."""
        self._ptxas.text, start, kernel, error = "", _clock(), None, None
        row = {
            "kernel": src.fn.__name__,
            "arch": cc,
            "ok": False,
            "registers": None,
            "stack": None,
            "spill_stores": None,
            "spill_loads": None,
            "shared": None,
            "num_warps": None,
            "num_stages": None,
            "error": None,
        }
        try:
            if cc > compat.newest_arch():
                raise NotImplementedError("this Triton cannot compile for sm_%d" % cc)
            kernel = self._compile(src, target=GPUTarget("cuda", cc, 32), options=options)
            metadata = kernel.metadata
            row.update(
                resources(self._ptxas.text),
                ok=True,
                shared=metadata.shared,
                num_warps=metadata.num_warps,
                num_stages=metadata.num_stages,
            )
            if metadata.shared > shared_limit(cc):
                row.update(
                    ok=False,
                    error="line %d: out of resource: shared memory, required %d, limit %d"
                    % (src.fn.fn.__code__.co_firstlineno, metadata.shared, shared_limit(cc)),
                )
        except Exception as caught:
            error = caught
            try:
                error._kbx_compile = True
            except Exception:
                pass
            row["error"] = self._said(caught, src)
        row["seconds"] = round(_clock() - start, 4)
        self._spent += row["seconds"]
        self._rows.append(row)
        return kernel, error

    @staticmethod
    def _said(error, src):
        """The innermost cause's text; in front of it "line N: ", the candidate's line, where the compiler names one."""
        line, lines = 0, linecache.getlines(src.fn.fn.__code__.co_filename)
        while True:
            line = errors.compile_line(error, lines) or line
            if error.__cause__ is None:
                break
            error = error.__cause__
        return ("line %d: " % line if line else "") + errors.safe_text(error, 2000)

    def _for_others(self, src, options):
        """Compiles for the other architectures what the deciding one has answered for."""
        chosen = {key: value for key, value in (options or {}).items() if key in compat.USER_OPTIONS}
        for cc in self._archs:
            if cc != self._cc:
                self._one(src, cc, chosen)

    def _deciding(self, src, target=None, options=None, *args, **kwargs):
        alike = compat.alike(src, options)
        known = self._alike.get(alike)
        if known is None and self._budget and self._spent > self._budget and self._alike:
            self.skipped += 0 if self._cache_only else 1
            known = next((k for (fn, *_), k in self._alike.items() if fn == alike[0]), None)
        if known is not None:
            self._for_the_card(src, options)
            return known
        rows = len(self._rows)
        kernel, error = self._one(src, self._cc, options)
        if not self._rows[-1]["ok"]:  # it will not be launched
            if self._trying and (error is None or type(error).__name__ in _PASSED_OVER):
                self._passed.append((self._rows.pop(), src, options))
            elif alike not in self._refused:
                self._refused.add(alike)
                self._for_others(src, options)
        if self._cache_only:
            del self._rows[rows:]
        if error is not None:
            raise error
        if self._launchers:
            self._launchers.start(src, kernel.metadata)
        self._alike[alike] = kernel
        self._options[id(src)] = (src, options)
        return kernel

    def _tell_passed(self):
        """The call failed: perhaps because every configuration was refused. Of each kernel one is compiled for the others."""
        told = set()
        for row, src, options in self._passed:
            self._rows.append(row)
            if id(src.fn) not in told:
                told.add(id(src.fn))
                self._for_others(src, options)

    def _for_the_card(self, src, options):
        """The JIT on the card does specialise by value: what it will ask for is put into the cache, within the budget."""
        if not self._launchers or (self._budget and self._spent > self._budget):
            return
        start = _clock()
        try:
            self._launchers.start(src, self._compile(src, target=GPUTarget("cuda", self._cc, 32), options=options).metadata)
        except Exception:
            pass  # its like compiled: the card will say what is wrong with this one
        self._spent += _clock() - start

    def _launched(self, src, grid):
        """A launch outside an autotuner's trials: compile it for the other architectures, once."""
        if self._cache_only:
            return
        name = src.fn.__name__
        self._launches[name, grid] = self._launches.get((name, grid), 0) + 1
        if id(src) in self._seen:
            return
        self._seen.add(id(src))
        self._for_others(src, self._options.get(id(src), (None, None))[1])

    def call(self, function, request, arena):
        decoder = Decoder(arena, CUDA, draw=lambda tensor, draw, name: None)  # nothing computes: any contents will do
        run = prepare(decoder, request, function, self._protocol)
        self._cache_only = decoder.drawn
        self._rows, self._passed, self._launches, start = [], [], {}, _clock()
        _, error = yield from made(run)
        if error is not None:
            self._tell_passed()
        if self._launchers:
            self._launchers.wait()
        launches = [
            {"kernel": name, "grid": list(grid), "count": count} for (name, grid), count in self._launches.items()
        ]
        return {
            "id": request["id"],
            "seconds": round(_clock() - start, 6),
            "result": {"t": "none"},
            "findings": [],
            "ops": {},
            "launches": launches[:256],
            "compiled": self._rows,
            "skipped": self.skipped,
        }, error
