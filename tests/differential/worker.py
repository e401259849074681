"""Where the IR machine and the worker's Python files are, and one launch on copies of a kernel's arguments.

KBX_WORKER_LIB names libkbxworker.so and KBX_WORKER_PYTHON the folder of the worker's files; without them those of the
source tree and its build are taken.
"""

import ctypes
import os
import pathlib
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = os.environ.get("KBX_WORKER_LIB") or str(SOURCE / "build" / "lib" / "libkbxworker.so")
sys.path.insert(0, os.environ.get("KBX_WORKER_PYTHON") or str(SOURCE / "src" / "worker" / "python"))

import compat  # noqa: E402
import ir_host  # noqa: E402
import lowering  # noqa: E402
import torch  # noqa: E402
from launches import descriptor_arguments  # noqa: E402

ALL_CHECKS = ir_host.CHECK_UNDEFINED | ir_host.CHECK_RACES | ir_host.COUNT_UNIQUE | ir_host.CHECK_ALIGNMENT
MACHINE = ir_host.Machine(ctypes.CDLL(LIBRARY))


def tensors_in(value):
    """The tensors of a launch argument: itself, a tuple's, a descriptor's or a reinterpreted one's base."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from tensors_in(item)
    elif isinstance(getattr(value, "base", None), torch.Tensor):
        yield value.base


class Memory:
    """The storages of one launch's tensors, each once."""

    def __init__(self, values):
        self.storages = {}
        for value in values:
            for tensor in tensors_in(value):
                storage = tensor.untyped_storage()
                entry = self.storages.setdefault(storage.data_ptr(), [storage, tensor.dtype, 8])
                entry[2] = min(entry[2], tensor.element_size())
        self.storages.pop(0, None)

    def nbytes(self):
        return sum(storage.nbytes() for storage, _, _ in self.storages.values())

    def copy(self):
        """{address: bytes as a uint8 CPU tensor}"""
        return {address: raw(storage).cpu().clone() for address, (storage, _, _) in self.storages.items()}

    def restore(self, copies):
        for address, data in copies.items():
            raw(self.storages[address][0]).copy_(data)


def raw(storage):
    return torch.empty(0, dtype=torch.uint8, device=storage.device).set_(storage, 0, (storage.nbytes(),), (1,))


class Kernel:
    """One compiled kernel: its generic TTIR and the machine's program."""

    def __init__(self, src, text):
        self.src, self.text, self.name = src, text, src.fn.__name__
        self._program = None
        self.unfused = None  # on a GPU: makes the kernel compiled without contraction

    def program(self):
        if self._program is None:
            self._program = MACHINE.compile(self.text)
        return self._program

    def leaves(self, values):
        """Run-time arguments in the TTIR function's order; `values` are all bound arguments."""
        flat = [
            leaf
            for _, kind, value in compat.runtime_arguments(self.src, values)
            for _, leaf in compat.flatten_kind(kind, value)
        ]
        for spare in range(4):
            out = []
            for leaf in flat:
                out += descriptor_arguments(leaf, spare) if hasattr(leaf, "block_shape") else [leaf]
            if len(out) >= len(self.program().kinds):
                break
        return out

    def launch(self, grid, values, copies, flags=0, threads=1, order="forward", limit_s=60.0):
        """Runs over `copies` (address -> bytes), which it changes. Returns the machine's report."""
        program, places, ranges = self.program(), {}, []
        memory = Memory(values)
        for address, data in copies.items():
            places[address] = len(ranges)
            ranges.append((data.data_ptr(), data.numel(), 0, memory.storages[address][2]))
        words, where = [], []
        for index, leaf in enumerate(self.leaves(values)):
            if program.kinds[index] != ir_host.POINTER:
                words.append(program.encode(index, leaf))
                where.append(-1)
                continue
            tensor = next(tensors_in(leaf), None)
            base = tensor.untyped_storage().data_ptr() if tensor is not None else 0
            place = places.get(base, -1)
            offset = tensor.data_ptr() - base if tensor is not None else 0
            words.append((ranges[place][0] + offset) & 0xFFFFFFFFFFFFFFFF if place >= 0 else 0)
            where.append(place)
        return program.launch(grid, words, where, ranges, flags, threads, order, limit_s)


def lower(src, target, options):
    text, _ = lowering.lower(src, target, options or {})
    return Kernel(src, text)
