"""Takes down one call's work on the GPU as a device tape (docs/probe.md), through libkbxprobe.so.

The library is in the candidate's process: what it writes is a claim. Everything python needs is captured before the
candidate is loaded.
"""

import ctypes
import time

import memory_answers
import torch
from drive import result_of
from trusted import Torch, private_builtins, quiet
from unseen import whole
from values import NAMES, OutputTooLarge

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

_clock = time.perf_counter
_base = torch._C.TensorBase
_is_conj, _is_neg, _set_grad = _base.is_conj, _base.is_neg, _base.grad.__set__
_int64_array = {dims: ctypes.c_int64 * max(dims, 1) for dims in range(65)}


HOST_SECONDS = 0.25


class RecorderError(Exception):
    """The library refuses; the text says why."""


class Probe:
    """The C functions of probe/probe.h."""

    _TEXT = {  # name -> arguments of the functions that return a sentence or nothing
        "init": [ctypes.c_char_p, ctypes.c_uint64],
        "reset": [],
        "start": [ctypes.c_void_p],
        "stop": [],
        "snapshot": [],
        "trouble": [ctypes.c_char_p],
        "tensor": [ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64]
        + [ctypes.c_int64, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p],
    }

    def __init__(self, path):
        library = ctypes.CDLL(path)
        self._functions = {}
        for name, arguments in self._TEXT.items():
            function = getattr(library, "kbx_probe_" + name)
            function.argtypes, function.restype = arguments, ctypes.c_char_p
            self._functions[name] = function
        self._write, self._scratch = library.kbx_probe_write, library.kbx_probe_scratch
        self._write.argtypes, self._write.restype = [ctypes.c_void_p, ctypes.c_uint64], ctypes.c_int64
        self._scratch.argtypes, self._scratch.restype = [ctypes.c_int], None

    def call(self, name, *arguments):
        """Raises what the library says."""
        text = self._functions[name](*arguments)
        if text is not None:
            raise RecorderError(text.decode("utf-8", "replace"))

    def trouble(self, text):
        self.call("trouble", text.encode("utf-8", "replace"))

    def scratch(self, on):
        """Allocations from now on are the recorder's own, not the call's."""
        self._scratch(1 if on else 0)

    def tensor(self, output, path, tensor):
        storage, shape, stride = Torch.untyped_storage(tensor), Torch.size(tensor), Torch.stride(tensor)
        array = _int64_array[len(shape)]
        shapes, strides = array(*shape), array(*stride)
        self.call(
            "tensor",
            1 if output else 0,
            path.encode("utf-8", "replace"),
            NAMES[Torch.dtype_of(tensor)].encode(),
            Torch.storage_data_ptr(storage),
            Torch.storage_nbytes(storage),
            Torch.storage_offset(tensor),
            len(shape),
            ctypes.addressof(shapes),
            ctypes.addressof(strides),
        )

    def size(self):
        return self._write(None, 0)

    def write(self, address, capacity):
        return self._write(address, capacity)


def prepare(fields):
    """Before the first use of CUDA: torch's allocator becomes the recorder's arena. `fields`: probe, cupti, arena_base.
    Where there is no CUPTI the recorder exists and says so at every call; torch then keeps its own allocator."""
    try:
        probe = Probe(fields["probe"])
        probe.call("init", "\n".join(fields.get("cupti") or []).encode(), int(fields["arena_base"]))
    except (OSError, AttributeError, KeyError, RecorderError) as error:
        return DeviceRecorder(None, "nothing can be recorded: %s" % error)
    allocator = torch.cuda.memory.CUDAPluggableAllocator(fields["probe"], "kbx_probe_malloc", "kbx_probe_free")
    torch.cuda.memory.change_current_allocator(allocator)
    memory_answers.install()
    return DeviceRecorder(probe, None, allocator)


def outputs_of(value, path="result"):
    """(path, tensor) of a result, in the order and with the names of kbx's own values; (path, why) for what is none."""
    kind = type(value)
    if kind is Torch.Tensor or kind is Torch.Parameter:
        if Torch.layout_of(value) is not Torch.strided or Torch.dtype_of(value) not in NAMES:
            yield path, "%s is %s, %s" % (path, Torch.layout_of(value), Torch.dtype_of(value))
        elif Torch.device_of(value).type != "cuda":
            yield path, "%s lies on the %s" % (path, Torch.device_of(value).type)
        else:
            yield path, value
    elif isinstance(value, Torch.Tensor):
        yield path, "%s is a subclass of Tensor" % path
    elif kind in (list, tuple) or (isinstance(value, tuple) and kind.__module__ == "torch.return_types"):
        for index, item in enumerate(tuple(value)):
            yield from outputs_of(item, "%s[%d]" % (path, index))
    elif kind is dict:
        for key, item in value.items():
            yield from outputs_of(item, "%s.%s" % (path, key))


def resolved(value):
    """A result whose elements are what its memory holds: a lazy conjugate or negative is carried out."""
    kind = type(value)
    if kind is Torch.Tensor and (_is_conj(value) or _is_neg(value)):
        return Torch.resolve_neg(Torch.resolve_conj(value))
    if kind in (list, tuple) and any(resolved(item) is not item for item in value):
        return kind(resolved(item) for item in value)
    return value


class DeviceRecorder:
    """One a process. `trouble`: why it can record nothing."""

    def __init__(self, probe, trouble, allocator=None):
        self._probe, self.trouble, self._allocator = probe, trouble, allocator
        if trouble is None:
            self._synchronize, self._current_stream = torch.cuda.synchronize, torch._C._cuda_getCurrentRawStream
            self._forget_workspaces = getattr(torch._C, "_cuda_clearCublasWorkspaces", lambda: None)

    def own_memory(self, on):
        if self._probe is not None:
            self._probe.scratch(on)

    def _once(self, run, inputs):
        """A call on the inputs as they were; nothing is recorded."""
        inputs.restore()
        self._synchronize()
        yield from result_of(run)
        self._synchronize()

    def _recorded(self, run, inputs):
        """The workspace that torch keeps for cuBLAS is made anew in the call, else it is a constant of 8 MiB or more."""
        inputs.restore()
        self._synchronize()
        self._forget_workspaces()
        self._probe.call("start", self._current_stream(0) or None)
        try:
            result = yield from result_of(run)
            with quiet():
                result = resolved(result)
            self._synchronize()
        finally:
            self._probe.call("stop")
        return result

    def record(self, run, inputs, mutates, warm):
        """Makes the calls; what the candidate raises comes out. `warm`: calls before those two that are recorded, of
        which the first only tells what memory from before the call is used."""
        for _ in range(warm):
            yield from self._once(run, inputs)
        probe = self._probe
        probe.call("reset")
        with quiet():
            for path, tensor in inputs.distinct():
                probe.tensor(False, path, tensor)
        yield from self._recorded(run, inputs)
        probe.call("snapshot")
        result = yield from self._recorded(run, inputs)
        with quiet():
            named = list(outputs_of(result)) + inputs.of_arguments(mutates)
            for path, tensor in named:
                self._output(path, tensor)
        return result

    def _output(self, path, tensor):
        try:
            if type(tensor) is str:
                raise RecorderError(tensor)
            self._probe.tensor(True, path, tensor)
        except RecorderError as error:
            self._probe.trouble(str(error))

    def write(self, arena):
        """The tape into the arena's result part: the field of `returned`."""
        size = self._probe.size()
        if size < 0:
            raise RecorderError("no tape was made")
        at = arena.reserve(size)
        if size:
            self._probe.write(Torch.data_ptr(arena.bytes_at(at, size)), size)
        return {"at": at, "bytes": size}

    def taken(self, run, inputs, request, arena, warm):
        """For drive(): the reply's fields for a call that is to be recorded. The candidate's exceptions come out."""
        if self.trouble is not None:
            return {"device_tape_trouble": self.trouble}
        try:
            result = yield from self.record(run, inputs, request.get("mutates", []), warm)
            fields = {"device_tape": self.write(arena)}
            del result
            return fields
        except (RecorderError, OutputTooLarge) as error:
            return {"device_tape_trouble": str(error)}


class Inputs:
    """The tensors of a call and copies of their storages, to put them back before each call."""

    def __init__(self, decoder, recorder):
        self._paths, self._generators = decoder.paths, decoder.generators
        self.of_arguments = decoder.of_arguments
        self._pristine = []
        recorder.own_memory(True)
        try:
            for storage in decoder.storages.values():
                self._pristine.append((storage, Torch.clone(whole(storage))))
        finally:
            recorder.own_memory(False)

    def restore(self):
        with quiet():
            for storage, bytes_ in self._pristine:
                Torch.copy_(whole(storage), bytes_)
            for generator, seed in self._generators:
                generator.manual_seed(seed)
            for _, tensor in self._paths:
                if Torch.requires_grad_of(tensor):
                    _set_grad(tensor, None)

    def distinct(self):
        """(path, tensor), one a storage."""
        seen = set()
        for path, tensor in self._paths:
            at = Torch.storage_data_ptr(Torch.untyped_storage(tensor))
            if at not in seen:
                yield path, tensor
            if at:
                seen.add(at)


def host_seconds(run, inputs, count, synchronize):
    """For drive(): the median time of one call, the device's work included: of `count`, or of those that fit into HOST_SECONDS."""
    times = []
    for _ in range(count):
        if sum(times) > HOST_SECONDS:
            break
        inputs.restore()
        synchronize()
        start = _clock()
        yield from result_of(run)
        synchronize()
        times.append(_clock() - start)
    return sorted(times)[len(times) // 2]
