"""What a candidate does to tensors behind the observer's back: data that the host reads in bulk, memory that changes
while no observed operator and no launch writes it, tensors that none of them made.

Each is counted like an operator, under a name that no task allows (`host_read`, `unseen_write`, `unseen_tensor`,
`host_made`): numpy, ctypes, python loops and switched-off dispatch modes come to light this way. Small data is let
pass: sizes and offsets are read and made by the host in honest code.
"""

import ctypes
import hashlib

import wire
from trusted import Torch, private_builtins, quiet

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

_sha256, _chars = hashlib.sha256, ctypes.c_char

SMALL = 512  # elements that the host may read in one call, or make, without a word
MAX_COPY_BYTES = 64 << 20
MAX_COPIED_BYTES = 256 << 20
MAX_LOOKED_BYTES = 4 << 30  # a call


def whole(storage, dtype=Torch.uint8, width=1):
    """The storage as one flat tensor."""
    empty = Torch.empty(0, dtype=dtype, device=storage.device)
    return Torch.set_(empty, storage, 0, (Torch.storage_nbytes(storage) // width,), (1,))


def digest(storage):
    """Stands for contents that are too large to keep."""
    size = Torch.storage_nbytes(storage)
    return _sha256((_chars * size).from_address(Torch.storage_data_ptr(storage))).digest()


class Unseen:
    """`note(name)` is called for each thing found. `contents`: whether memory is compared at all."""

    def __init__(self, note, contents=True):
        self._note, self._follow = note, contents
        self._touched = set()  # storages that were written, by key: what a kernel stores there may itself be undefined
        self.start_call()

    def start_call(self):
        """Between calls the supervisor writes new inputs at the same place: nothing is known of any contents."""
        self._elements = self._elsewhere = self._looked = self._copied = 0
        self._contents = {}  # storage key -> its bytes after the last observed write, or their digest

    def host_read(self, elements):
        before = self._elements
        self._elements += elements
        if before <= SMALL < self._elements:
            self._note("host_read")

    def made_elsewhere(self, elements):
        """A tensor that no observed operator made is about to be used."""
        self._elsewhere += elements
        if elements > SMALL:
            self._note("unseen_tensor")

    def host_made(self, elements):
        """At a call's end: what the host was seen to put in; None where a replay shows whether it was right to. There
        are more ways to read memory than can be watched, so what comes back is counted, too."""
        if elements is not None and elements + self._elsewhere > SMALL:
            self._note("host_made")

    def written(self, key, storage):
        """A launch or an observed operator has written this storage."""
        size = Torch.storage_nbytes(storage)
        self._touched.add(key)
        if not self._follow:
            return
        old = self._contents.pop(key, b"")
        self._copied -= 0 if isinstance(old, bytes) else Torch.numel(old)
        if size <= MAX_COPY_BYTES and self._copied + size <= MAX_COPIED_BYTES:
            with quiet():
                self._contents[key] = Torch.clone(whole(storage))
            self._copied += size
        elif self._looked <= MAX_LOOKED_BYTES:
            self._looked += size
            self._contents[key] = digest(storage)

    def look(self, key, storage, undefined=None, last=False):
        """Are the contents what the last observed write left? `undefined`: the map of a storage filled with poison.
        `last`: look even when this call has been looked at enough."""
        size = Torch.storage_nbytes(storage)
        self._looked += size
        if not self._follow or (self._looked > MAX_LOOKED_BYTES and not last):
            return
        old = self._contents.get(key)
        with quiet():
            if isinstance(old, bytes):
                found = old != digest(storage)
            elif old is not None:
                found = Torch.numel(old) == size and not Torch.equal(old, whole(storage))
            elif undefined is not None and key not in self._touched:
                never = Torch.ne(whole(Torch.untyped_storage(undefined), Torch.int16, 2)[: size // 2], 0)
                found = bool(Torch.any(Torch.logical_and(never, Torch.ne(whole(storage, Torch.int16, 2), wire.POISON))))
            else:
                found = False
        if found:
            self._note("unseen_write")
