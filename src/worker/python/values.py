"""VALUE of docs/wire.md <-> python objects. Tensor arguments lie on the arena's memory itself; results are copied out,
row-major, by functions captured before the candidate was imported."""

import mmap
import os

import torch
import wire
from errors import type_name
from trusted import Torch, private_builtins, quiet
from unseen import whole

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

DTYPES = {
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f32": torch.float32,
    "f64": torch.float64,
    "f8e4m3": torch.float8_e4m3fn,
    "f8e5m2": torch.float8_e5m2,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
    "u8": torch.uint8,
    "bool": torch.bool,
    "c64": torch.complex64,
    "c128": torch.complex128,
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
FLOATS = ("f16", "bf16", "f32", "f64", "f8e4m3", "f8e5m2")


class ValueError_(Exception):
    """The frame describes no value: the supervisor's fault."""


class OutputTooLarge(Exception):
    """The results do not fit into the arena."""


class Arena:
    """The shared memory: inputs in front, results from out_at on."""

    def __init__(self, fd, out_at, out_bytes):
        self._map = mmap.mmap(fd, os.fstat(fd).st_size)
        self.out_at, self.out_end, self._next = out_at, out_at + out_bytes, out_at

    def bytes_at(self, at, count):
        """A uint8 tensor over the arena; its storage is exactly these bytes."""
        return Torch.frombuffer(self._map, dtype=Torch.uint8, count=count, offset=at)

    def start_results(self):
        self._next = self.out_at

    def reserve(self, count):
        at = -(-self._next // wire.ALIGN_BYTES) * wire.ALIGN_BYTES
        if at + count > self.out_end:
            raise OutputTooLarge(
                "the results need more than the %d bytes set aside for them" % (self.out_end - self.out_at)
            )
        self._next = at + count
        return at


class Decoder:
    """VALUE -> object, for one call. `convert(name, dtype_name, tensor)` may replace a tensor (reference modes)."""

    def __init__(self, arena, device, convert=None, dtype_name=None, memory=None, draw=None):
        """memory: the device on which the tensors lie in truth; None: the arena itself. draw(tensor, draw, name) fills
        a tensor whose bytes are not in the arena."""
        self._memory, self._draw = memory, draw
        self.drawn = False  # a tensor was
        self.paths = []  # (path, tensor) of every tensor, in the order of the call
        self.generators = []  # (generator, seed)
        self._arena, self._device, self._convert = arena, device, convert
        self._dtype_name = dtype_name or (lambda name: name)
        self.storages = {}  # byte in the arena -> storage
        self.tensors = {}  # argument name -> tensor
        self.named = {}  # argument name -> object, for copy_of

    def decode(self, value, name=None, depth=0):
        kind = value["t"]
        if depth > wire.MAX_VALUE_DEPTH:
            raise ValueError_("nested too deeply")
        if kind in ("bool", "int", "str"):
            return value["v"]
        if kind == "none":
            return None
        if kind == "float":
            return float(value["v"])
        if kind == "dtype":
            return DTYPES[self._dtype_name(value["v"])]
        if kind == "device":
            return self._device
        if kind == "generator":
            generator = Torch.Generator(device=self._memory or Torch.cpu).manual_seed(value["v"])
            self.generators.append((generator, value["v"]))
            return generator
        if kind in ("list", "tuple"):
            items = [self.decode(item, None, depth + 1) for item in value["v"]]
            return items if kind == "list" else tuple(items)
        if kind == "dict":
            return {key: self.decode(item, None, depth + 1) for key, item in zip(value["k"], value["v"])}
        if kind == "copy_of":
            again = self.named[value["v"]]
            if value.get("name"):
                self.paths.append((value["name"], again))
            return again
        if kind == "tensor":
            return self._tensor(value)
        raise ValueError_("unknown value %r" % kind)

    def _tensor(self, value):
        dtype, at, size = DTYPES[value["dtype"]], value.get("at", 0), value.get("bytes", 0)
        shape = tuple(value["shape"])
        stride = tuple(value["stride"]) if "stride" in value else _row_major(shape)
        if "draw" in value:
            tensor = self._drawn(value, dtype, shape, stride)
        elif size == 0:
            tensor = Torch.empty(shape, dtype=dtype, device=self._memory)
        else:
            if at not in self.storages:
                given = self._arena.bytes_at(at, size)
                self.storages[at] = Torch.untyped_storage(Torch.to(given, self._memory) if self._memory else given)
            empty = Torch.empty(0, dtype=dtype, device=self._memory)
            tensor = Torch.set_(empty, self.storages[at], value.get("offset", 0), shape, stride)
        name = value.get("name")
        if self._convert is not None:
            tensor = self._convert(name, value["dtype"], tensor)
        if value.get("requires_grad"):
            Torch.requires_grad_(tensor, True)
        if name is not None:
            self.tensors[name] = self.named[name] = tensor
            self.paths.append((value.get("path") or name, tensor))
        return tensor

    def _drawn(self, value, dtype, shape, stride):
        """A storage that just holds the tensor."""
        last = sum((size - 1) * step for size, step in zip(shape, stride))
        flat = Torch.empty(0 if 0 in shape else last + 1, dtype=dtype, device=self._memory)
        self.drawn, storage = True, Torch.untyped_storage(flat)
        self.storages[("drawn", len(self.storages))] = storage
        tensor = Torch.set_(Torch.empty(0, dtype=dtype, device=self._memory), storage, 0, shape, stride)
        self._draw(tensor, value["draw"], value.get("path") or value.get("name") or "")
        return tensor

    def of_arguments(self, names):
        """(path, tensor) of these arguments; a list's tensors each, and another argument's that is given again."""
        return [(path, tensor) for path, tensor in self.paths if path.partition("[")[0].partition(".")[0] in names]

    def bring_back(self):
        """The inputs as they are now on the device, into the arena."""
        for at, storage in self.storages.items():
            if type(at) is not int:
                continue  # it was drawn
            Torch.copy_(self._arena.bytes_at(at, Torch.storage_nbytes(storage)), whole(storage))


class Encoder:
    """Object -> RESULT. Only exact types count: a subclass of Tensor, int or str is an `object`."""

    def __init__(self, arena, aliases, device, inner=None):
        """inner(value): the CPU tensor of a device tensor; given, a plain tensor lies on the CPU."""
        self._arena, self._device, self._inner = arena, device, inner
        self.host_results = 0  # tensors that lie on the CPU where device tensors exist
        self._aliases = aliases  # (first byte, end, argument name) of storages
        self._items = 0
        self.tensors, self.paths = [], []  # of the result, and their paths: "result", "result[1]"

    def encode(self, value, depth=0, path="result"):
        self._items += 1
        if depth > wire.MAX_VALUE_DEPTH or self._items > wire.MAX_VALUE_ITEMS:
            return {"t": "object", "v": "nested too deeply or too large"}
        device = self._device
        if self._inner is not None:
            given, value = value, self._inner(value)
            if value is given and isinstance(value, Torch.Tensor):
                device, self.host_results = "cpu", self.host_results + 1
        kind = type(value)
        if value is None:
            return {"t": "none"}
        if kind is bool:
            return {"t": "bool", "v": value}
        if kind is int:
            return {"t": "int", "v": value} if -(2**63) <= value < 2**63 else {"t": "object", "v": "int beyond 64 bits"}
        if kind is float:
            finite = value == value and value not in (float("inf"), float("-inf"))
            return {"t": "float", "v": value if finite else repr(value)}
        if kind is str:
            return {"t": "str", "v": value[:65536].encode("utf-8", "replace").decode()}
        if kind is Torch.Tensor or kind is Torch.Parameter:
            return self._tensor(value, device, path)
        if kind is list or kind is tuple:
            return {"t": kind.__name__, "v": self._items_of(value, depth, path)}
        if kind is dict and all(type(key) is str for key in value):
            items = [self.encode(item, depth + 1, "%s.%s" % (path, key)) for key, item in value.items()]
            return {"t": "dict", "k": list(value), "v": items}
        if isinstance(value, tuple) and kind.__module__ == "torch.return_types":
            return {"t": "tuple", "v": self._items_of(tuple(value), depth, path)}
        if kind is Torch.dtype and value in NAMES:
            return {"t": "dtype", "v": NAMES[value]}
        if kind is Torch.device:
            return {"t": "device"}
        return {"t": "object", "v": type_name(value)}

    def _items_of(self, values, depth, path):
        return [self.encode(item, depth + 1, "%s[%d]" % (path, index)) for index, item in enumerate(values)]

    def _tensor(self, tensor, device, path):
        with quiet():
            dtype = Torch.dtype_of(tensor)
            if (
                dtype not in NAMES
                or Torch.layout_of(tensor) is not Torch.strided
                or Torch.device_of(tensor).type != "cpu"
            ):
                return {"t": "object", "v": "tensor of %s, %s" % (dtype, Torch.layout_of(tensor))}
            shape = tuple(Torch.size(tensor))
            if len(shape) > wire.MAX_DIMS:
                return {"t": "object", "v": "tensor of %d dimensions" % len(shape)}
            self.tensors.append(tensor)
            self.paths.append(path)
            count = Torch.numel(tensor) * Torch.element_size(tensor)
            at = self._arena.reserve(count)
            if count:
                target = Torch.set_(
                    Torch.empty(0, dtype=dtype),
                    Torch.untyped_storage(self._arena.bytes_at(at, count)),
                    0,
                    shape,
                    _row_major(shape),
                )
                Torch.copy_(target, Torch.detach(tensor))
            address = Torch.storage_data_ptr(Torch.untyped_storage(tensor)) if count else 0
            return {
                "t": "tensor",
                "dtype": NAMES[dtype],
                "shape": list(shape),
                "at": at,
                "bytes": count,
                "alias": next((name for first, end, name in self._aliases if first <= address < end), None),
                "device": device,
            }


def _row_major(shape):
    strides, step = [], 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= max(size, 1)
    return tuple(strides)


def aliases_of(tensors):
    """(first byte, end, name) of the memory that each argument lies in; the later name of two that share it comes first."""
    places = []
    for name, tensor in tensors.items():
        if Torch.numel(tensor):
            storage = Torch.untyped_storage(tensor)
            first = Torch.storage_data_ptr(storage)
            places.insert(0, (first, first + Torch.storage_nbytes(storage), name))
    return places
