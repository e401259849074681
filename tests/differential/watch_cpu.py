"""The IR machine as the device, under the device shim, and Triton's corrected interpreter as the other side."""

import time

import interpreter
from watch import Deadline, Skip, Watch, copied, found_by

import worker  # isort: skip  (finds the worker's folder, which the next four come from)
import compat
from device_shim import DeviceShim
from launches import MachineKernel
from stub_driver import StubDriver


RUNS = 3


class CpuWatch(Watch):
    def __init__(self, **options):
        super().__init__(**options)
        self.machine = worker.MACHINE
        self._shim = DeviceShim(90)

    def install(self):
        compat.set_active_driver(StubDriver(90))
        compat.patch_compile(self._compile)
        self._shim.enter()

    def _compile(self, src, target=None, options=None, *args, **kwargs):
        text, parsed = worker.lowering.lower(src, target, options or {})
        return MachineKernel(self, src, text, parsed)

    def stop(self, error):
        raise error

    def run(self, kernel, grid, values):
        """What MachineKernel calls for a launch."""
        ours = self._kernels.setdefault(kernel.asm["ttir"], worker.Kernel(kernel.src, kernel.asm["ttir"]))

        def machine():
            storages = worker.Memory(values).storages.items()
            own = {address: worker.raw(storage) for address, (storage, _, _) in storages}
            self.machine_run(ours, grid, values, own, self.rows[-1] if self.rows else {})

        self._shim.leave()
        try:
            self.launched(ours, grid, values, machine)
        except Skip as why:
            self.rows[-1]["skipped"] = str(why)
        finally:
            self._shim.enter()

    def machine_side(self, other, after):
        return after

    def _timed(self, kernel, grid, values, before, row):
        """Bare and with all checks, the best of some runs each: other work on this machine only makes them slower."""
        for name, flags in (("machine_seconds", 0), ("checked_seconds", worker.ALL_CHECKS)):
            best = []
            for _ in range(RUNS):
                report = kernel.launch(grid, values, copied(before), flags, self.threads)
                best.append(report.seconds)
            row[name] = min(best)
        row["findings"] = sorted(set(row["findings"]) | found_by(report))

    def other(self, kernel, grid, values, memory, before, row):
        self._timed(kernel, grid, values, before, row)
        memory.restore(before)
        names = [p.name for p in kernel.src.fn.params]

        def stop():
            if time.process_time() > self._until:
                raise Deadline("the interpreter used up its %g s" % self.seconds)

        start = time.process_time()
        try:
            interpreter.run(kernel.src.fn, grid, dict(zip(names, values)), stop)
        except Deadline as late:
            raise Skip(str(late)) from None
        except Exception as error:
            raise Skip("interpreter: %s: %s" % (type(error).__name__, str(error)[:200])) from None
        row["interpreter_seconds"] = time.process_time() - start
        return memory.copy()
