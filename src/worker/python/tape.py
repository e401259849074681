"""The tape of one call (model/tape.h, docs/wire.md TAPE): the storages there were, the launches on them, the host
operators in between. The supervisor plays it again on other inputs, so it need not be believed; what cannot be played
is said (`trouble`, operators by name, host reads).

Kept simple: an operator is one of
  a view               nothing to do: tensors are described by storage, offset and strides
  an allocation        a fresh storage
  a factory            a storage whose bytes depend on no tensor: they are kept as they are (a constant)
  a fill, copy, cast   played again
  anything else        named, with what it reads and writes
"""

import binascii
import ctypes
import hashlib

import torch
from trusted import Torch, private_builtins
from unseen import whole
from values import NAMES

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

_sha256, _base64, _string_at = hashlib.sha256, binascii.b2a_base64, ctypes.string_at
_is_conj, _is_neg = torch.Tensor.is_conj, torch.Tensor.is_neg

COPIES = ("clone", "_to_copy", "_reshape_copy", "contiguous")
FILLS = ("fill_", "zero_")
# Contents that depend on no tensor, whatever tensor gave shape and dtype.
LIKES = ("zeros_like", "ones_like", "full_like", "rand_like", "randn_like", "randint_like", "new_zeros", "new_ones", "new_full")
DRAWS = ("uniform_", "normal_", "random_", "exponential_", "geometric_", "cauchy_", "log_normal_")
MAX_ENTRIES = 16384
MAX_CONSTANT_BYTES = 6 << 20
MAX_TEXT_BYTES = 4 << 20


def text_hash(text):
    return _sha256(text.encode()).hexdigest()


def broadcast_strides(tensor, shape):
    """Strides under which `tensor` looks as if it had `shape`; None if it cannot."""
    size, stride = tuple(Torch.size(tensor)), tuple(Torch.stride(tensor))
    lead = len(shape) - len(size)
    if lead < 0:
        return None
    strides = [0] * lead
    for have, step, want in zip(size, stride, shape[lead:]):
        if have != want and have != 1:
            return None
        strides.append(step if have == want else 0)
    return strides


class Tape:
    def __init__(self):
        self._sent = set()  # texts that the supervisor has
        self._on = False

    def start_call(self, inputs):
        """inputs: {byte in the arena: storage} of the call's arguments."""
        self._index, self._sizes, self._buffers, self._entries = {}, [], [], []
        self._images, self._texts, self._trouble = {}, {}, ""
        self._constants = self._text_bytes = self._from_host = self._brought = 0
        self._inputs, self._results = len(inputs), 0
        self._scalars = set()
        self._on = True
        for at, storage in inputs.items():
            self._add(storage, {"origin": "input", "at": at})

    def stop(self, why):
        """This call cannot be played again."""
        self._trouble = self._trouble or why

    def from_host(self):
        """How many numbers the host has put into this call where a replay cannot show that they are right for other
        inputs too: the host has read, the tape does not play, or there are no inputs, so that what was made before the
        call is as good as an answer. None where it can."""
        made = self._from_host + len(self._scalars)
        if not self._inputs and self._results:
            return made + self._brought
        return made if self._trouble or any("host" in entry or "op" in entry for entry in self._entries) else None

    # storages
    def _add(self, storage, row):
        size = Torch.storage_nbytes(storage)
        self._index[storage._cdata] = len(self._buffers)
        self._sizes.append(size)
        self._buffers.append(dict(row, bytes=size))
        return len(self._buffers) - 1

    def _bytes(self, storage):
        """The contents, base64; "" and trouble beyond what a frame holds."""
        size = Torch.storage_nbytes(storage)
        self._constants += size
        if self._constants > MAX_CONSTANT_BYTES:
            self.stop("it uses more than %d MiB that are not computed in the call" % (MAX_CONSTANT_BYTES >> 20))
            return None
        return _base64(_string_at(Torch.storage_data_ptr(storage), size) if size else b"", newline=False).decode()

    def _constant(self, storage, width=1):
        """A storage whose bytes are what they are."""
        size = Torch.storage_nbytes(storage)
        if size > 64:
            element = _string_at(Torch.storage_data_ptr(storage), width)
            raw = whole(storage)
            shifted = raw[width:], raw[: size - width]
            if size % width == 0 and Torch.equal(*shifted):
                return self._add(storage, {"origin": "uniform", "data": _base64(element, newline=False).decode()})
        data = self._bytes(storage)
        return self._add(storage, {"origin": "unknown"} if data is None else {"origin": "constant", "data": data})

    def buffer(self, storage, width=1):
        """The storage's number. One that is met for the first time was there before: its bytes are kept."""
        index = self._index.get(storage._cdata)
        if index is None:
            self._brought += Torch.storage_nbytes(storage) // max(width, 1)
            return self._constant(storage, width)
        if self._sizes[index] != Torch.storage_nbytes(storage):
            self.stop("a storage changed its size")
        return index

    def meet(self, tensor):
        """Before anything is done to a tensor."""
        if self._on:
            try:
                self.buffer(Torch.untyped_storage(tensor), Torch.element_size(tensor))
            except (RuntimeError, NotImplementedError):
                self.stop("a tensor without a storage")

    def view(self, tensor, shape=None, stride=None):
        dtype = NAMES.get(Torch.dtype_of(tensor))
        if dtype is None or _is_conj(tensor) or _is_neg(tensor):
            return None
        index = self.buffer(Torch.untyped_storage(tensor), Torch.element_size(tensor))
        shape = list(Torch.size(tensor)) if shape is None else shape
        stride = list(Torch.stride(tensor)) if stride is None else stride
        return [index, dtype, Torch.storage_offset(tensor), shape, stride]

    # what happens
    def _entry(self, entry):
        if len(self._entries) < MAX_ENTRIES:
            self._entries.append(entry)
        else:
            self.stop("it does more than %d things" % MAX_ENTRIES)

    def fresh(self, storage, ones):
        if self._on and storage._cdata not in self._index:
            self._add(storage, {"origin": "fresh", "ones": True} if ones else {"origin": "fresh"})

    def host_read(self, tensor):
        if self._on:
            self._entry({"host": self.buffer(Torch.untyped_storage(tensor), Torch.element_size(tensor))})

    def operator(self, name, args, given, changed, made):
        """After an operator ran. given, changed, made: the tensors it took, mutated and returned."""
        if not self._on:
            return
        new = [tensor for tensor in made if Torch.untyped_storage(tensor)._cdata not in self._index]
        if not new and not changed:
            if not made:
                for tensor in given:
                    self.host_read(tensor)
            return
        if not (self._played(name, args, given, changed, new)):
            self._foreign(name, given, changed, new)

    def _played(self, name, args, given, changed, new):
        if new and not changed and (not given or name in LIKES or name == "lift_fresh"):  # torch.tensor(list) ends in one
            for tensor in new:
                self._constant(Torch.untyped_storage(tensor), Torch.element_size(tensor))
                self._from_host += Torch.numel(tensor) if name == "lift_fresh" else 1
            return True
        if name in COPIES and len(new) == 1 and len(given) == 1 and not changed:
            return self._copy(new[0], given[0])
        if name == "copy_" and len(args) > 1 and isinstance(args[1], Torch.Tensor):
            return self._copy(args[0], args[1])
        if name in FILLS and len(given) == 1 and not new:
            return self._fill(changed[0])
        if name in DRAWS and len(given) == 1 and not new:
            storage = Torch.untyped_storage(changed[0])
            data = self._bytes(storage)
            if data is not None:
                self._entry({"data": data, "buffer": self.buffer(storage)})
            return data is not None
        return False

    def _copy(self, to, source):
        names = NAMES.get(Torch.dtype_of(to)), NAMES.get(Torch.dtype_of(source))
        if None in names or (names[0] != names[1] and any(name.startswith("c") for name in names)):
            return False
        storage = Torch.untyped_storage(to)
        if storage._cdata not in self._index:
            self._add(storage, {"origin": "fresh"})
        shape = list(Torch.size(to))
        strides = broadcast_strides(source, shape)
        target = self.view(to)
        source = self.view(source, shape, strides) if strides is not None else None
        if target is None or source is None:
            return False
        self._entry({"copy": target, "from": source})
        return True

    def _fill(self, tensor):
        target = self.view(tensor)
        if target is None:
            return False
        if Torch.numel(tensor):
            element = _string_at(Torch.data_ptr(tensor), Torch.element_size(tensor))
            self._from_host += element.count(0) < len(element)
            self._entry({"fill": target, "element": _base64(element, newline=False).decode()})
        return True

    def _foreign(self, name, given, changed, new):
        reads = {self.buffer(Torch.untyped_storage(tensor)) for tensor in given}
        for tensor in new:
            storage = Torch.untyped_storage(tensor)
            if storage._cdata not in self._index:
                self._add(storage, {"origin": "fresh"})
        writes = {self.buffer(Torch.untyped_storage(tensor)) for tensor in changed + new}
        self._entry({"op": name, "reads": sorted(reads), "writes": sorted(writes)})

    def image(self, text):
        """The number of a kernel's text on this tape."""
        key = text_hash(text)
        if key not in self._images:
            self._images[key] = len(self._images)
            if key not in self._sent:
                self._text_bytes += len(text)
                self._texts[key] = text
        if self._text_bytes > MAX_TEXT_BYTES:
            self.stop("its kernels have more than %d MiB of text" % (MAX_TEXT_BYTES >> 20))
        return self._images[key]

    def launch(self, text, grid, arguments, writes):
        """arguments: 8-byte patterns, or (storage, byte, element width) for pointers. writes: storages it changed."""
        if not self._on:
            return
        row = []
        for argument in arguments:
            if isinstance(argument, tuple):
                storage, offset, width = argument
                row.append([self.buffer(storage, width), offset, width])
            else:
                row.append([argument - (1 << 64) if argument >> 63 else argument])
                self._scalars.add(argument)
        written = [self.buffer(storage) for storage in writes]
        self._entry({"launch": self.image(text), "grid": list(grid), "args": row, "writes": written})

    def finish(self, outputs):
        """The tape for the supervisor and the texts that it has not yet. outputs: the result's tensors in order."""
        views = [self.view(tensor) for tensor in outputs]
        self._results = sum(Torch.numel(tensor) for tensor in outputs)
        if None in views:
            self.stop("a result of a form that a tape has not")
        self._on = False
        if self._trouble:
            return {"buffers": [], "images": [], "entries": [], "outputs": [], "trouble": self._trouble}, {}
        self._sent.update(self._texts)
        tape = {"buffers": self._buffers, "images": list(self._images), "entries": self._entries, "outputs": views}
        return tape, self._texts
