"""A Triton driver for machines without a GPU: it names a target, describes a device and loads nothing."""

import compat
import torch
from triton.backends.compiler import GPUTarget
from trusted import private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

# cc -> opt-in shared memory of a block in bytes, multiprocessors, L2 bytes (80 A100, 86 RTX 3090,
# 89 RTX 4090, 90 H100, 100 B200, 120 RTX 5090).
DEVICES = {
    80: (166912, 108, 40 << 20),
    86: (101376, 82, 6 << 20),
    89: (101376, 128, 72 << 20),
    90: (232448, 132, 50 << 20),
    100: (232448, 148, 126 << 20),
    120: (101376, 170, 96 << 20),
}


def shared_limit(cc):
    return DEVICES.get(cc, DEVICES[86])[0]


class Utils:
    """What Triton asks the CUDA driver for."""

    def __init__(self, cc):
        self._cc = cc

    def get_device_properties(self, device=0):
        shared, processors, _ = DEVICES.get(self._cc, DEVICES[86])
        return {
            "max_shared_mem": shared,
            "multiprocessor_count": processors,
            "max_num_regs": 65536,
            "warpSize": 32,
            "sm_clock_rate": 1500000,
            "mem_clock_rate": 1500000,
            "mem_bus_width": 4096,
        }

    def load_binary(self, name, image, shared, device):
        return compat.loaded_binary()

    def __getattr__(self, name):
        return lambda *args, **kwargs: None


class NoLauncher:
    def __init__(self, src, metadata):
        pass

    def __call__(self, *args):
        pass


class StubDriver:
    """One target. `benchmark(call)` decides whether an autotuner's trial runs; every trial takes the same time, so the
    first configuration that works wins."""

    def __init__(self, cc, launcher_cls=NoLauncher, benchmark=None):
        self.cc, self.utils, self.launcher_cls = cc, Utils(cc), launcher_cls
        self._benchmark = benchmark

    def get_current_target(self):
        return GPUTarget("cuda", self.cc, 32)

    def get_current_device(self):
        return self.cc  # JITFunction caches kernels by device, not by target: one device number a target

    def set_current_device(self, device):
        pass

    def get_current_stream(self, device=None):
        return 0

    def get_device_capability(self, device=0):
        return self.cc // 10, self.cc % 10

    def get_active_torch_device(self):
        return torch.device("cuda", 0)

    def get_device_interface(self):
        return torch.cuda

    def map_python_to_cpp_type(self, kind):
        return "void*"

    def get_benchmarker(self):
        def bench(call, *args, quantiles=None, **kwargs):
            if self._benchmark is not None:
                self._benchmark(call)
            return [1.0] * len(quantiles) if quantiles else 1.0

        return bench

    def get_empty_cache_for_benchmark(self):
        return torch.empty(1)

    def clear_cache(self, cache):
        pass

    def assemble_tensormap_to_arg(self, *args):
        return args

    @staticmethod
    def is_active():
        return True
