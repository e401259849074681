"""The GPU child: the candidate runs as its author meant it, on CUDA tensors, through Triton's own driver and launcher.

Inputs are carried from the arena to the device and, whatever the call did to them, back again. What is seen of
launches and operators is a claim, as in every child; values are judged outside.
"""

import os
import time

import drawn
import torch
from calls import prepare
from device_recorder import DeviceRecorder, Inputs, host_seconds
from drive import made
from errors import safe_text, type_name
from host_reads import watched_methods
from observer import Observer, ObserverMode, tensors_in, watch_threads
from own_images import OwnImages
from trusted import Torch, private_builtins, quiet
from values import Decoder, Encoder
from wire import MAX_LAUNCHES

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

_clock = time.perf_counter


def to_host(value):
    """The CPU copy of a plain CUDA tensor; anything else as it is."""
    if type(value) in (Torch.Tensor, Torch.Parameter) and Torch.device_of(value).type == "cuda":
        with quiet():
            return Torch.to(Torch.detach(value), Torch.cpu)
    return value


class Launched:
    """Stands between JITFunction.run and Triton's launcher."""

    def __init__(self, launcher, name, seen):
        self._call = lambda grid, args: (seen(name, grid, args), launcher(*grid, *args))[1]

    def __call__(self, grid_x, grid_y, grid_z, *args):
        return self._call((grid_x, grid_y, grid_z), args)


class GpuRole:
    def __init__(self, card, load):
        self._card = card
        # Contents are not followed: a launch on another stream may write while a copy is made.
        self._observer = Observer(bool(load.get("record_ops", True)), False, contents=False)
        self._protocol = load.get("protocol")
        if "tf32" in load:  # a reference: eager within the precision that the task asks of everybody
            torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = bool(load["tf32"])
        self._rows, self._count, self._repeats = [], 0, False
        self._images = OwnImages(os.environ.get("TRITON_CACHE_DIR", ""))

    def install(self):
        self._card.prepare()  # if no `prepare` came
        self._synchronize, self._cuda = torch.cuda.synchronize, self._card.device
        self._recorder = self._card.recorder or DeviceRecorder(None, "no recorder was asked for")
        driver = self._card.driver
        launcher_cls, seen = driver.launcher_cls, self._seen
        driver.launcher_cls = lambda src, metadata: Launched(launcher_cls(src, metadata), src.fn.__name__, seen)
        watch_threads(self._observer)
        for name, method in watched_methods(self._observer.host_read):
            setattr(torch.Tensor, name, method)

    def watch(self):
        return ObserverMode(self._observer)

    def leave(self):
        pass

    def fatal(self):
        return None

    def _seen(self, name, grid, args):
        """Before a launch: it is taken to read and write every tensor it is given."""
        if self._repeats:
            return
        with quiet():
            given = tensors_in([getattr(a, "base", a) for a in args], [])
            for tensor in given:
                self._observer.look(tensor)
            keys = tuple({self._observer.key(tensor) for tensor in given})
            self._observer.log(keys, keys, self._count)
        if len(self._rows) < MAX_LAUNCHES:
            programs = grid[0] * grid[1] * grid[2]
            self._rows.append({"kernel": name, "grid": list(grid), "programs": programs, "outputs": False})
        self._count += 1

    def call(self, function, request, arena):
        """For drive(): the fields of `returned`; ok and error are the caller's."""
        self._rows, self._count, self._repeats = [], 0, False
        self._observer.start_call()
        decoder = Decoder(arena, self._cuda, memory=self._cuda, draw=self._fill)
        reply, again = {"id": request["id"]}, "record" in request or bool(request.get("host_calls"))
        with quiet():
            run = prepare(decoder, request, function, self._protocol)
            for tensor in decoder.tensors.values():
                self._observer.written(tensor)
            inputs = Inputs(decoder, self._recorder) if again or decoder.drawn else None
            self._synchronize()
        silent = bool(decoder.drawn) or request.get("returns") is False
        error = None if silent else (yield from self._observed(run, decoder, request, arena, reply))
        reply["launches"], reply["launch_count"] = self._rows, self._count
        reply["findings"], reply["ops"] = [], dict(self._observer.ops)
        if error is None and inputs is not None:
            error = yield from self._repeated(run, inputs, silent, request, arena, reply)
        return reply, error

    def _observed(self, run, decoder, request, arena, reply):
        """The call that is judged. Returns what it raised."""
        start = _clock()
        try:
            with ObserverMode(self._observer):
                result, error = yield from made(run)
            if error is None:
                self._synchronize()
        except BaseException as caught:
            error = caught
        reply["seconds"] = round(_clock() - start, 6)
        if error is not None:
            return error
        try:
            arena.start_results()
            encoder = Encoder(arena, (), "cuda", to_host)
            with quiet():
                reply["result"] = encoder.encode(result)
                decoder.bring_back()
                mutated = [tensor for _, tensor in decoder.of_arguments(request.get("mutates", []))]
                self._mark_outputs(tensors_in(result, []) + mutated)
        except BaseException as caught:
            error = caught
        return error

    def _repeated(self, run, inputs, first, request, arena, reply):
        """Calls that are recorded or timed. `first`: none came before, so what it raises is the call's error."""
        self._repeats, start = True, _clock()
        if first:
            reply["result"] = {"t": "none"}
            arena.start_results()
        try:
            if "record" in request:
                # A run before the last tells the memory: it is one of the calls asked for, if a call came before.
                warm = int(request["record"].get("warm", 1)) - (0 if first else 1)
                reply.update((yield from self._recorder.taken(run, inputs, request, arena, max(warm, 0))))
                reply["images"] = self._images.hashes()
            if request.get("host_calls"):
                reply["host_seconds"] = yield from host_seconds(run, inputs, int(request["host_calls"]), self._synchronize)
        except BaseException as caught:
            if first:
                return caught
            said = "%s: %s" % (type_name(caught), safe_text(caught, 200))
            reply.setdefault("device_tape_trouble", "the call, made again, raised " + said)
        finally:
            self._repeats = False
            if first:
                reply["seconds"] = round(_clock() - start, 6)
        return None

    def _fill(self, tensor, draw, name):
        """Drawn values; what that needs on the way is not the call's memory."""
        self._recorder.own_memory(True)
        try:
            drawn.fill(tensor, draw, name)
        finally:
            self._recorder.own_memory(False)

    def _mark_outputs(self, results):
        for tensor in results:
            self._observer.look(tensor, last=True)
        self._observer.mark_outputs(self._rows, results, self._count)
