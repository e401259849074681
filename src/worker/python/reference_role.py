"""The reference child: trusted source, plain CPU torch, no shim and no Triton.

Modes of a call: eager; truth (float64 and complex128 throughout); permuted (eager, the named dims of the inputs
put into one common order); narrow (eager with float32 and complex64 in place of float64 and complex128; where the
reference cannot do that, the result is None). In all but eager the arguments are copies: those in `mutates` come back
as `mutated`.
"""

import contextlib
import time

import torch
from calls import prepare
from drive import result_of
from trusted import Torch, private_builtins
from values import FLOATS, Decoder, Encoder, aliases_of

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

_clock = time.perf_counter


def _wide(name, dtype, tensor):
    if dtype in FLOATS:
        return tensor.to(torch.float64)
    return tensor.to(torch.complex128) if dtype == "c64" else tensor.clone()


def _narrow(name, dtype, tensor):
    if dtype == "f64":
        return tensor.to(torch.float32)
    return tensor.to(torch.complex64) if dtype == "c128" else tensor.clone()


class Permutation:
    """Puts every named dim of a call into the same order."""

    def __init__(self, pairs, seed):
        self._dims = {}
        for name, dim in pairs:
            self._dims.setdefault(name, []).append(dim)
        self._seed = int(seed)

    def __call__(self, name, dtype, tensor):
        tensor = tensor.clone()
        for dim in self._dims.get(name, []):
            size = tensor.shape[dim]
            order = torch.randperm(size, generator=torch.Generator().manual_seed(self._seed))
            tensor = (
                tensor.view(torch.uint8)
                .view(*tensor.shape, -1)
                .index_select(dim % tensor.dim(), order)
                .flatten(-2)
                .view(tensor.dtype)
                if dtype.startswith("f8")
                else tensor.index_select(dim, order)
            )
        return tensor


class ReferenceRole:
    def __init__(self, machine, load):
        self._protocol = load.get("protocol")
        torch.set_num_threads(max(1, int(load.get("threads", 1))))

    def watch(self):
        return contextlib.nullcontext()

    def install(self):
        pass

    def leave(self):
        pass

    def fatal(self):
        return None

    def call(self, function, request, arena):
        mode = request.get("mode", "eager")
        convert, dtype_name = None, None
        if mode == "truth":
            convert, dtype_name = _wide, lambda name: "f64" if name in FLOATS else name
        elif mode == "narrow":
            convert, dtype_name = _narrow, lambda name: {"f64": "f32", "c128": "c64"}.get(name, name)
        elif mode == "permuted":
            convert = Permutation(request.get("permute", []), request.get("permute_seed", 1))
        decoder = Decoder(arena, Torch.cpu, convert, dtype_name)
        reply, error, start = {"id": request["id"], "launches": [], "findings": [], "ops": {}}, None, _clock()
        try:
            result = yield from result_of(prepare(decoder, request, function, self._protocol))
            arena.start_results()
            encoder = Encoder(arena, aliases_of(decoder.tensors), "cpu")
            reply["result"] = encoder.encode(result)
            reply["mutated"] = {
                path: encoder.encode(tensor) for path, tensor in decoder.of_arguments(request.get("mutates", []))
            }
        except BaseException as caught:
            error = caught
            if mode == "narrow" and isinstance(caught, Exception):
                error, reply["mutated"] = None, {}
                reply["result"] = Encoder(arena, aliases_of(decoder.tensors), "cpu").encode(None)
        reply["seconds"] = round(_clock() - start, 6)
        return reply, error
