"""The GPU as the device, the IR machine as the other side. StubWatch is the same on a machine without a GPU: kernels
are compiled for one, and the machine stands in for it.
"""

import torch
from watch import OTHER_ACCUMULATION, Skip, Watch, copied, differences

import worker  # isort: skip  (finds the worker's folder, which the next three come from)
import compat
from device_shim import DeviceShim
from stub_driver import StubDriver


class GpuKernel:
    """A compiled kernel that tells the watch of each launch; everything else is the kernel's own."""

    def __init__(self, watch, kernel, ours):
        self._watch, self._kernel, self._ours = watch, kernel, ours

    def __getattr__(self, name):
        return getattr(self._kernel, name)

    def __getitem__(self, grid):  # a compiled kernel launched by hand: not watched
        return self._kernel[grid]

    @property
    def run(self):
        real = started(self._kernel)  # loads it; after that `function` is set

        def launch(grid_0, grid_1, grid_2, stream, function, packed, metadata, enter, leave, *values):
            grid = (int(grid_0), int(grid_1), int(grid_2))
            self._watch.stream = stream
            self._watch.launched(self._ours, grid, values, lambda: real(grid, stream, values))

        return launch


def started(kernel):
    run = kernel.run

    def real(grid, stream, values):
        run(*grid, stream, kernel.function, kernel.packed_metadata, None, None, None, *values)
        torch.cuda.synchronize()

    return real


class GpuWatch(Watch):
    """Differences are looked at twice more: the machine in another order of sums, the GPU without contraction."""

    def __init__(self, **options):
        super().__init__(**options)
        self.stream = 0
        self._original = None
        self._sources, self._unfused = {}, {}

    def install(self):
        import triton.compiler

        self._original = triton.compiler.compile
        compat.patch_compile(self._compile)

    def _compile(self, src, target=None, options=None, *args, **kwargs):
        from triton.runtime.driver import driver

        target = target or driver.active.get_current_target()
        kernel = self._original(src, target, options, *args, **kwargs)
        try:
            ours = self.lowered(src, target, options)
        except Exception as error:
            self.rows.append({"kernel": src.fn.__name__, "grid": [], "skipped": "lowering: %s" % type(error).__name__})
            return kernel
        self._sources[id(src)] = ours
        if (options or {}).get("enable_fp_fusion", True):
            ours.unfused = lambda: self._original(src, target, {**(options or {}), "enable_fp_fusion": False})
        return GpuKernel(self, kernel, ours)

    def other(self, kernel, grid, values, memory, before, row):
        if "tt.int_to_ptr" in kernel.text:
            raise Skip("pointers from integers lead to memory that is not an argument")
        copies = copied(before)
        self.machine_run(kernel, grid, values, copies, row, worker.ALL_CHECKS)
        return copies

    def explain(self, kernel, grid, values, memory, before, other, row):
        super().explain(kernel, grid, values, memory, before, other, row)
        if kernel.unfused is None:
            return
        if kernel.text not in self._unfused:
            self._unfused[kernel.text] = started(kernel.unfused())
        memory.restore(before)
        self._unfused[kernel.text](grid, self.stream, values)
        row["unfused"] = differences(memory, other, memory.copy())


class StubWatch(GpuWatch):
    def install(self):
        watch = self

        class Launcher:
            def __init__(self, src, metadata):
                self._kernel = watch._sources[id(src)]

            def __call__(self, x, y, z, stream, function, packed, metadata, enter, leave, *values):
                storages = worker.Memory(values).storages.items()
                own = {address: worker.raw(storage) for address, (storage, _, _) in storages}
                watch.machine_run(self._kernel, (x, y, z), values, own, {}, watch.flags)

        compat.set_active_driver(StubDriver(90, Launcher))
        super().install()
        DeviceShim(90).enter()

    flags = OTHER_ACCUMULATION  # so that something differs
