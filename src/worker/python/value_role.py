"""The value child: host code runs on CPU tensors under the device shim, launches on the IR machine."""

import time

import compat
from calls import prepare
from device_shim import CUDA, DeviceShim
from launches import Launches
from observer import Observer, ObserverMode
from stub_driver import StubDriver
from trusted import private_builtins, quiet
from values import Decoder, Encoder, aliases_of

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

_clock = time.perf_counter


class ValueRole:
    def __init__(self, machine, load):
        checks = load.get("checks") or {}
        self._observer = Observer(bool(load.get("record_ops", True)), bool(checks.get("undefined")))
        self._launches = Launches(
            machine,
            self._observer,
            checks,
            load.get("order", "forward"),
            load.get("threads", 1),
            float(load.get("kernel_seconds", 20.0)),
        )
        self._cc, self._protocol = int(load.get("arch", 90)), load.get("protocol")
        self._shim = DeviceShim(self._cc, self._observer.host_read)

    def install(self):
        compat.set_active_driver(StubDriver(self._cc))
        compat.patch_compile(self._launches.compile)
        self._shim.enter()

    def leave(self):
        self._shim.leave()

    def fatal(self):
        return self._launches.fatal

    def call(self, function, request, arena):
        """The fields of `returned`; ok and error are the caller's."""
        self._launches.start_call()
        self._observer.start_call()
        decoder = Decoder(arena, CUDA)
        with quiet():
            run = prepare(decoder, request, function, self._protocol)
            for tensor in decoder.tensors.values():
                self._observer.key(tensor)
            aliases = aliases_of(decoder.tensors)
        reply, result, error = {"id": request["id"]}, None, None
        start = _clock()
        try:
            with ObserverMode(self._observer):
                result = run()
        except BaseException as caught:
            error = caught
        reply["seconds"] = round(_clock() - start, 6)
        error = self._launches.fatal or error
        if error is None:
            try:
                arena.start_results()
                encoder = Encoder(arena, aliases, "cuda")
                with quiet():
                    reply["result"] = encoder.encode(result)
                    mutated = [decoder.tensors[name] for name in request.get("mutates", []) if name in decoder.tensors]
                    self._launches.mark_outputs(encoder.tensors + mutated)
            except BaseException as caught:
                error = caught
        reply["launches"] = self._launches.rows
        reply["launch_count"] = self._launches.count
        reply["findings"] = list(self._launches.findings.values())
        reply["ops"] = self._observer.ops
        return reply, error
