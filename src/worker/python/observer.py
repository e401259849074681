"""Watches the torch operators that a candidate runs: which ones, which storages they read and write, which memory is
fresh from an allocator and never written.

Three uses. `ops` counts ATen operators by name. Fresh storages (torch.empty and its kin) are filled with the poison of
wire.py and carry one byte a byte, 1 = never written, which the IR machine follows. The log of reads and writes answers
whether a launch has a part in the result (`reaching`). A storage is known by its StorageImpl, which a weak reference
keeps from being recycled, never by its address alone.

Kept simple: an operator is taken to read every tensor it is given and to write every tensor it returns or mutates; a
host read (item, tolist, numpy) counts as part of the result, since it may decide anything.
"""

import _thread
import threading

import torch
import wire
from own_operators import kernel_key
from torch.utils._python_dispatch import TorchDispatchMode
from trusted import Torch, private_builtins, quiet
from unseen import SMALL, Unseen, whole

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

FRESH_OPS = ("empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "empty_permuted")
SEED_OPS = ("random_", "randint")  # where a task allows them it is for a seed
MAX_MAP_BYTES = 256 << 20
MAX_LOG = 200000


def tensors_in(value, found, depth=0):
    """Every plain tensor inside nested lists, tuples and dicts."""
    if isinstance(value, Torch.Tensor):
        found.append(value)
    elif isinstance(value, (list, tuple)) and depth < 8:
        for item in value:
            tensors_in(item, found, depth + 1)
    elif isinstance(value, dict) and depth < 8:
        for item in value.values():
            tensors_in(item, found, depth + 1)
    return found


class Observer:
    def __init__(self, record_ops=True, undefined=True, tape=None, contents=True):
        """tape: a tape.Tape that takes down what is seen, or None. contents: follow what storages hold."""
        self.ops, self._tape = {}, tape
        self._record, self._undefined = record_ops, undefined
        self._known = {}  # storage key -> weak reference
        self._map_bytes = 0
        self._maps = {}  # storage key -> uint8 tensor, 1 = never written
        self._log = []  # (reads, writes, launch index or -1)
        self._host = set()  # keys that the host has read
        self._schemas, self._drawn = {}, 0
        self._poisoned = set()  # keys of storages that were filled with the pattern of wire.POISON
        self._unseen = Unseen(self.count, contents)
        self.overflow = False

    def count(self, name):
        if self._record:
            self.ops[name] = self.ops.get(name, 0) + 1

    # storages
    def key(self, tensor):
        """A number for the storage, unique for the life of this observer; None where there is none."""
        try:
            storage = Torch.untyped_storage(tensor)
            key = storage._cdata
            if key not in self._known:
                self._known[key] = storage._weak_ref()
            return key
        except (RuntimeError, NotImplementedError):
            return None

    def undefined_map(self, key, nbytes):
        """Address of the storage's map, 0 if all of it is defined."""
        entry = self._maps.get(key)
        return Torch.data_ptr(entry) if entry is not None and Torch.numel(entry) >= nbytes else 0

    def undefined_entry(self, key):
        """The storage's map itself, or None."""
        return self._maps.get(key)

    def live_storages(self):
        """Every storage seen that still exists."""
        found = []
        for reference in self._known.values():
            storage = Torch.UntypedStorage._new_with_weak_ptr(reference)
            if storage is not None and Torch.storage_nbytes(storage):
                found.append(storage)
        return found

    def mark_fresh(self, tensor):
        storage = Torch.untyped_storage(tensor)
        size = Torch.storage_nbytes(storage)
        key = self.key(tensor)
        if self._tape:
            self._tape.fresh(storage, Torch.dtype_of(tensor) is torch.bool)
        if not size or key is None:
            return
        raw = whole(storage)
        if Torch.dtype_of(tensor) is torch.bool:
            Torch.fill_(raw, 1)
        else:
            Torch.fill_(whole(storage, Torch.int16, 2), wire.POISON)
            self._poisoned.add(key)
            if size % 2:
                Torch.fill_(raw[size - 1 :], wire.POISON & 0xFF)
        if self._undefined and size <= MAX_MAP_BYTES:
            self._map_bytes += size
            if self._map_bytes > MAX_MAP_BYTES:
                self._forget_dead()
            self._maps[key] = Torch.ones(size, dtype=Torch.uint8)

    def _forget_dead(self):
        """Drops the maps of storages that are gone; their keys stay taken, so that no new storage gets one of them."""
        dead = [key for key in self._maps if Torch.UntypedStorage._expired(self._known[key])]
        for key in dead:
            del self._maps[key]
        self._map_bytes = sum(Torch.numel(entry) for entry in self._maps.values())

    def mark_defined(self, tensor):
        """An operator wrote this tensor: its whole span counts as written."""
        entry = self._maps.get(self.key(tensor)) if self._maps else None
        if entry is None or not Torch.numel(tensor):
            return
        width = Torch.element_size(tensor)
        start = Torch.storage_offset(tensor) * width
        span = 1 + sum((n - 1) * s for n, s in zip(Torch.size(tensor), Torch.stride(tensor)))
        Torch.zero_(entry[start : start + span * width])

    def host_read(self, tensor):
        """The host looks at, or may write through, this memory."""
        key = self.key(tensor)
        if self._tape:
            self._tape.host_read(tensor)
        self._host.add(key)
        self._maps.pop(key, None)
        self._unseen.host_read(Torch.numel(tensor))

    def look(self, tensor, last=False):
        """Before an operator or a launch uses this tensor, and when it is a result: is it what the log says?"""
        try:
            storage = Torch.untyped_storage(tensor)
        except (RuntimeError, NotImplementedError):
            return
        key = storage._cdata
        if key in self._known:
            self._unseen.look(key, storage, self._maps.get(key) if key in self._poisoned else None, last)
        else:
            self._unseen.made_elsewhere(Torch.numel(tensor) if not last else 1 << 30)

    def end_call(self):
        """After the tape is finished."""
        if self._tape:
            self._unseen.host_made(self._tape.from_host())

    def written(self, tensor):
        """An argument of the call, or what an operator has written or made."""
        key = self.key(tensor)
        if key is not None:
            self._unseen.written(key, Torch.untyped_storage(tensor))

    def launched(self, key, storage):
        """A launch has written this storage."""
        self._unseen.written(key, storage)

    # the log
    def log(self, reads, writes, launch=-1):
        if len(self._log) < MAX_LOG:
            self._log.append((reads, writes, launch))
        else:
            self.overflow = True

    def start_call(self):
        """Counts start anew; what is known of storages stays, since a candidate may keep tensors between calls."""
        self.ops, self._drawn = {}, 0
        self._log = [entry for entry in self._log if entry[2] < 0]
        self._host.clear()
        self._unseen.start_call()

    def reaching(self, results, launches):
        """Which of the launches 0..launches-1 wrote what the given tensors, or the host, depend on."""
        if self.overflow:
            return set(range(launches))
        live = {self.key(tensor) for tensor in results} | self._host
        found = set()
        for reads, writes, launch in reversed(self._log):
            if not live.isdisjoint(writes):
                live.update(reads)
                if launch >= 0:
                    found.add(launch)
        return found

    def mark_outputs(self, rows, results, launches):
        """Says in each launch's row whether the results depend on it; `launches` may be more than the rows kept."""
        for index in self.reaching(results, launches):
            if index < len(rows):
                rows[index]["outputs"] = True

    # operators
    def drew(self, numbers):
        """Integers of torch's generator: more of them than seeds are the work of a task that is about chance."""
        before, self._drawn = self._drawn, self._drawn + numbers
        if before <= SMALL < self._drawn:
            self.count("random_in_bulk")

    def _schema(self, func):
        entry = self._schemas.get(func)
        if entry is None:
            name = func._schema.name.split("::")[-1]
            mutated = [
                (index, argument.name)
                for index, argument in enumerate(func._schema.arguments)
                if argument.alias_info is not None and argument.alias_info.is_write
            ]
            entry = self._schemas[func] = (name, mutated, name in FRESH_OPS)
        return entry

    def saw(self, func, args, kwargs, out):
        name, mutated, fresh = self._schema(func)
        self.count(name)
        given, made = tensors_in([args, kwargs], []), tensors_in(out, [])
        if fresh:
            for tensor in made:
                self.mark_fresh(tensor)
            return
        changed = []
        for index, argument in mutated:
            changed += tensors_in(args[index] if index < len(args) else kwargs.get(argument), [])
        if self._maps and mutated:
            for tensor in made + changed:
                self.mark_defined(tensor)
        if name in SEED_OPS:
            self.drew(sum(Torch.numel(tensor) for tensor in made))
        reads = tuple(self.key(tensor) for tensor in given)
        new = [tensor for tensor in made if self.key(tensor) not in reads]
        if self._tape:
            with quiet():
                self._tape.operator(name, args, given, changed, made)
        for tensor in changed + new:
            self.written(tensor)
        if made or mutated:
            self.log(reads, tuple(self.key(tensor) for tensor in made + changed))
        else:
            self._host.update(reads)
            self._unseen.host_read(1 if name == "_local_scalar_dense" else 0)

    def before(self, func, args, kwargs):
        """An operator is about to run. torch.tensor's own (`lift_fresh`) brings data in: that is its work."""
        if self._schema(func)[0] != "lift_fresh":
            for tensor in tensors_in([args, kwargs], []):
                self.look(tensor)
                if self._tape:
                    with quiet():
                        self._tape.meet(tensor)


class ObserverMode(TorchDispatchMode):
    """Feeds an Observer while it is entered; per thread, as every dispatch mode."""

    def __init__(self, observer):
        super().__init__()

        def watched(func, args, kwargs):  # a closure: nothing of the observer hangs on the mode itself
            own = kernel_key(func)
            if own is not None:
                with ObserverMode(observer):
                    return func._op_dk(own, *args, **kwargs)
            observer.before(func, args, kwargs)
            out = func(*args, **kwargs)
            observer.saw(func, args, kwargs, out)
            return out

        self._watched = watched

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return self._watched(func, args, kwargs or {})


def watch_threads(observer):
    """Dispatch modes hold for one thread: every thread that starts from now on enters one of its own."""

    def wrapped(start):
        def start_watched(function, *args, **kwargs):
            def run(*inner, **named):
                with ObserverMode(observer):
                    return function(*inner, **named)

            return start(run, *args, **kwargs)

        return start_watched

    for module, names in ((_thread, ("start_new_thread", "start_joinable_thread", "start_new")),
                          (threading, ("_start_new_thread", "_start_joinable_thread"))):  # fmt: skip
        for name in names:
            if hasattr(module, name):
                setattr(module, name, wrapped(getattr(module, name)))
