"""The value child: host code runs on CPU tensors under the device shim, launches on the IR machine. With `strict` the
tensors are device tensors (device_tensor.py)."""

import time

import compat
from calls import prepare
from device_shim import CUDA, DeviceShim
from drive import made
from launches import Launches
from observer import Observer, ObserverMode, watch_threads
from strict_shim import StrictShim
from stub_driver import StubDriver
from tape import Tape
from trusted import private_builtins, quiet
from values import Decoder, Encoder, aliases_of

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

_clock = time.perf_counter
HOST_RESULT = {
    "rule": "strict_device",
    "severity": "warn",
    "message": "a returned tensor lies on the CPU while the inputs lie on the device",
    "line": 0,
}


class ValueRole:
    def __init__(self, machine, load):
        checks = load.get("checks") or {}
        self._tape = Tape() if load.get("tape") and not load.get("strict") else None
        self._observer = Observer(bool(load.get("record_ops", True)), bool(checks.get("undefined")), self._tape)
        self._cc, self._protocol = int(load.get("arch", 90)), load.get("protocol")
        self._shim = (StrictShim if load.get("strict") else DeviceShim)(self._cc, self._observer.host_read)
        self._inner = self._shim.inner or (lambda value: value)
        self._launches = Launches(
            machine,
            self._observer,
            checks,
            load.get("order", "forward"),
            load.get("threads", 1),
            float(load.get("kernel_seconds", 20.0)),
            self._shim.argument,
            self._tape,
        )

    def install(self):
        compat.set_active_driver(StubDriver(self._cc))
        compat.rotate_configs()
        launches = self._launches
        compat.patch_compile(lambda *args, **kwargs: launches.compile(*args, **kwargs))  # no way back by __self__
        if not isinstance(self._shim, StrictShim):
            watch_threads(self._observer)
        self._shim.enter()

    def watch(self):
        """For the import: what the candidate makes then is known when calls use it."""
        return self._shim.watched(ObserverMode(self._observer))

    def leave(self):
        self._shim.leave()

    def fatal(self):
        return self._launches.fatal

    def call(self, function, request, arena):
        """For drive(): the fields of `returned`; ok and error are the caller's."""
        self._launches.start_call()
        self._observer.start_call()
        decoder = Decoder(arena, CUDA, self._shim.outer)
        with quiet():
            run = prepare(decoder, request, function, self._protocol)
            tensors = {name: self._inner(tensor) for name, tensor in decoder.tensors.items()}
            for tensor in tensors.values():
                self._observer.written(tensor)
            aliases = aliases_of(tensors)
            if self._tape:
                self._tape.start_call(decoder.storages)
        reply = {"id": request["id"]}
        start = _clock()
        try:
            with self._shim.watched(ObserverMode(self._observer)):
                result, error = yield from made(run)
        except BaseException as caught:  # it broke the watcher
            result, error = None, caught
        reply["seconds"] = round(_clock() - start, 6)
        error = self._launches.fatal or error
        if error is None:
            try:
                arena.start_results()
                encoder = Encoder(arena, aliases, "cuda", self._shim.inner)
                with quiet():
                    reply["result"] = encoder.encode(result)
                    again = decoder.of_arguments(request.get("mutates", []))
                    mutated = [self._inner(tensor) for _, tensor in again]
                    self._launches.mark_outputs(encoder.tensors + mutated)
                    self._launches.name_storages(tensors, encoder.tensors, encoder.paths)
                    if self._tape:
                        reply["tape"], reply["texts"] = self._tape.finish(encoder.tensors)
                        self._observer.end_call()
                if encoder.host_results and tensors:
                    self._launches.findings["host result"] = HOST_RESULT
            except BaseException as caught:
                error = caught
        reply["launches"] = self._launches.rows
        reply["launch_count"] = self._launches.count
        reply["findings"] = list(self._launches.findings.values())
        reply["ops"] = self._observer.ops
        return reply, error
