"""What torch's questions about the card's memory are answered: nothing is held, nothing was asked for.

The recorder's allocator (device_recorder.py) cannot be asked: torch raises "does not yet support getDeviceStats". A torch
without CUDA has no functions to ask. Both get these, so a candidate is told the same in every phase and on every machine.
They lie under torch.cuda and torch.accelerator, whose own functions make numbers, tables and text of them.
"""

import types

import torch
from trusted import private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

FOUR = ("current", "peak", "allocated", "freed")
BY_POOL = """allocation segment active inactive_split allocated_bytes reserved_bytes active_bytes inactive_split_bytes
 requested_bytes""".split()
WHOLE = ("oversize_allocations", "oversize_segments")
COUNTS = "num_alloc_retries num_ooms num_sync_all_streams num_device_alloc num_device_free".split()
HOST = "allocations allocated_bytes active_requests active_bytes segment reserved_bytes".split()
HOST_TIMES = ("host_alloc_time", "host_free_time")


def _zeros():
    return dict.fromkeys(FOUR, 0)


def device_stats(*args):
    made = {name: {pool: _zeros() for pool in ("all", "large_pool", "small_pool")} for name in BY_POOL}
    made.update((name, _zeros()) for name in WHOLE)
    made.update(dict.fromkeys(COUNTS, 0), max_split_size=-1)
    return made


def host_stats(*args):
    made = {name: _zeros() for name in HOST}
    made.update((name, dict.fromkeys(("total", "max", "min", "count", "avg"), 0)) for name in HOST_TIMES)
    made.update(num_host_alloc=0, num_host_free=0)
    return made


def snapshot(*args):
    return {"segments": [], "device_traces": [], "allocator_settings": {}, "external_annotations": []}


def nothing(*args, **kwargs):
    return None


_fractions = {}  # device -> what the candidate has set


def set_fraction(fraction, device):
    _fractions[device] = fraction


# torch._C.NAME -> what it is to do.
ANSWERS = {
    "_cuda_memoryStats": device_stats,
    "_cuda_resetAccumulatedMemoryStats": nothing,
    "_cuda_resetPeakMemoryStats": nothing,
    "_cuda_memorySnapshot": snapshot,
    "_cuda_setMemoryFraction": set_fraction,
    "_cuda_getMemoryFraction": lambda device: _fractions.get(device, 1.0),
    "_cuda_emptyCache": nothing,
    "_cuda_hostMemoryStats": host_stats,
    "_cuda_resetAccumulatedHostMemoryStats": nothing,
    "_cuda_resetPeakHostMemoryStats": nothing,
    "_cuda_record_memory_history": nothing,
    "_cuda_record_memory_history_legacy": nothing,
    "_cuda_isHistoryEnabled": lambda *args: False,
    "_cuda_attach_out_of_memory_observer": nothing,
    "_accelerator_isAllocatorInitialized": lambda: True,
    "_accelerator_getDeviceStats": device_stats,
    "_accelerator_resetAccumulatedStats": nothing,
    "_accelerator_resetPeakStats": nothing,
    "_accelerator_emptyCache": nothing,
}


def _named(name, answer):
    """A function of its own with the name of the one that it stands for."""
    made = types.FunctionType(answer.__code__, answer.__globals__, name, answer.__defaults__, answer.__closure__)
    made.__qualname__ = name
    return made


def install(put=setattr, missing=False):
    """put(owner, name, value) for each answer; names that this torch has not only where they are wanted (`missing`)."""
    for name, answer in ANSWERS.items():
        if missing or hasattr(torch._C, name):
            put(torch._C, name, _named(name, answer))
