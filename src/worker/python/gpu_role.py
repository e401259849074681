"""The GPU child: the candidate runs as its author meant it, on CUDA tensors, through Triton's own driver and launcher.

Inputs are carried from the arena to the device and, whatever the call did to them, back again. What is seen of
launches and operators is a claim, as in every child; values are judged outside.
"""

import time

import torch
from calls import prepare
from host_reads import watched_methods
from observer import Observer, ObserverMode, tensors_in, watch_threads
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
        self._rows, self._count = [], 0

    def install(self):
        self._card.prepare()  # if no `prepare` came
        self._synchronize, self._cuda = torch.cuda.synchronize, self._card.device
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
        """The fields of `returned`; ok and error are the caller's."""
        self._rows, self._count = [], 0
        self._observer.start_call()
        decoder = Decoder(arena, self._cuda, memory=self._cuda)
        reply, result, error = {"id": request["id"]}, None, None
        with quiet():
            run = prepare(decoder, request, function, self._protocol)
            for tensor in decoder.tensors.values():
                self._observer.written(tensor)
            self._synchronize()
        start = _clock()
        try:
            with ObserverMode(self._observer):
                result = run()
            self._synchronize()
        except BaseException as caught:
            error = caught
        reply["seconds"] = round(_clock() - start, 6)
        if error is None:
            try:
                arena.start_results()
                encoder = Encoder(arena, {}, "cuda", to_host)
                with quiet():
                    reply["result"] = encoder.encode(result)
                    decoder.bring_back()
                    mutated = [decoder.tensors[n] for n in request.get("mutates", []) if n in decoder.tensors]
                    self._mark_outputs(tensors_in(result, []) + mutated)
            except BaseException as caught:
                error = caught
        reply["launches"], reply["launch_count"] = self._rows, self._count
        reply["findings"], reply["ops"] = [], self._observer.ops
        return reply, error

    def _mark_outputs(self, results):
        for tensor in results:
            self._observer.look(tensor, last=True)
        self._observer.mark_outputs(self._rows, results, self._count)
