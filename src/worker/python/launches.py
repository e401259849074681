"""Launches on the IR machine: what stands in for triton.compile and for the compiled kernel in a value child.

JITFunction.run stays Triton's own (binding, specialisation, caching, hooks of every release); it is given a kernel
whose run() executes the TTIR on the memory of the tensors. Findings never stop a launch, as a GPU
would not stop at most of them; the supervisor decides. Time limits and unknown operations do stop the call.
"""

import functools
import types

import compat
import findings
import ir_host
import lowering
import wire
from errors import KernelTimeout, NotJudged
from trusted import Torch, private_builtins, quiet
from unseen import whole

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

MAX_GRID = (2**31 - 1, 65535, 65535)
MAX_SNAPSHOT_BYTES = 64 << 20


class LaunchError(RuntimeError):
    """What the driver would refuse."""


def snapshot(storage):
    size = Torch.storage_nbytes(storage)
    raw = whole(storage)
    return raw, (Torch.clone(raw) if size <= MAX_SNAPSHOT_BYTES else None)


def descriptor_arguments(descriptor, spare):
    """A host tensor descriptor as the rewritten kernel takes it: pointer, shape, strides, flags, shape, strides.
    The flag is the padding, which came in 3.5; 3.8 added a second one: `spare` says how many."""
    padding = [descriptor.padding == "nan"] if hasattr(descriptor, "padding") else []
    shape, strides = list(descriptor.shape), list(descriptor.strides)
    return [descriptor.base, *shape, *strides, *padding, *([False] * spare), *shape, *strides]


class Launches:
    """All launches of a child. `start_call` and `end_call` bracket one call of the candidate."""

    def __init__(self, machine, observer, checks, order="forward", threads=1, seconds=20.0, argument=None, tape=None):
        """argument(tensor, position, name): what stands for a tensor in a kernel; it may refuse by raising. tape: a
        tape.Tape that takes the launches down, or None."""
        self._tape = tape
        self.machine, self._observer, self._order, self._argument = machine, observer, order, argument
        self._threads, self._seconds = max(1, min(int(threads), 64)), seconds
        # The front end leaves asserts out unless the kernel is compiled with debug: then a GPU stops at them too.
        self._flags = ir_host.CHECK_ALIGNMENT | ir_host.CHECK_ASSERTS
        for name, flag in (
            ("undefined", ir_host.CHECK_UNDEFINED),
            ("races", ir_host.CHECK_RACES),
            ("counts", ir_host.COUNT_UNIQUE),
        ):
            self._flags |= flag if checks.get(name) else 0
        self.start_call()

    def start_call(self):
        self.rows, self.findings, self.count = [], {}, 0
        self._numbers = {}  # storage key -> its number in this call
        self._numbers = {}  # storage key -> its number in the rows
        self._writers = {}  # storage key -> (kernel, line) of the last launch that wrote it
        self.fatal = None  # NotJudged or KernelTimeout: stands even if the candidate swallowed it
        self._left = self._seconds

    def compile(self, src, target=None, options=None, *args, **kwargs):
        """Takes the place of triton.compiler.compile."""
        try:
            text, options = lowering.lower(src, target, options or {})
        except Exception as error:
            try:
                error._kbx_compile = True  # errors.kind_of looks for it: pass failures are plain RuntimeErrors
            except Exception:
                pass
            raise
        return MachineKernel(self, src, text, options)

    def stop(self, error):
        self.fatal = self.fatal or error
        raise error

    def finding(self, kernel, memory, found):
        where = memory.names[found.range] if 0 <= found.range < len(memory.names) else found.name
        key = (found.kind, found.line, kernel, where)
        if key not in self.findings and len(self.findings) < wire.MAX_FINDINGS:
            self.findings[key] = findings.describe(found, kernel, memory)

    def run(self, kernel, grid, values):
        """One launch. values: the bound arguments in the signature's order."""
        for size, limit in zip(grid, MAX_GRID):
            if size > limit:
                self.findings["grid", kernel.name] = findings.grid_limit(kernel.name, grid, MAX_GRID)
                raise LaunchError("Triton Error [CUDA]: invalid argument: grid %s" % (tuple(grid),))
        index = self.count
        self.count += 1
        row = {
            "kernel": kernel.name,
            "grid": list(grid),
            "programs": 0,
            "seconds": 0.0,
            "load_bytes": 0,
            "store_bytes": 0,
            "flops": 0,
            "outputs": False,
        }
        if len(self.rows) < wire.MAX_LAUNCHES:
            self.rows.append(row)
        if min(grid) <= 0:
            return
        row["programs"] = grid[0] * grid[1] * grid[2]
        with quiet():
            self._execute(kernel, grid, values, row, index)

    def _execute(self, kernel, grid, values, row, index):
        if self._left <= 0:
            self.stop(KernelTimeout("the kernels of this call used up their %g seconds" % self._seconds))
        program = kernel.program()
        memory = Memory(self._observer, bool(self._flags & ir_host.CHECK_UNDEFINED), kernel.wants_all_storages)
        memory.argument = self._argument
        arguments, where = memory.arguments(program, kernel.flatten(values))
        before = [snapshot(storage) for storage in memory.storages]
        taped = memory.taped(arguments, where) if self._tape else None
        try:
            report = program.launch(
                grid, arguments, where, memory.ranges, self._flags, self._threads, self._order, self._left
            )
        except ir_host.MachineError as error:
            self.stop(NotJudged("the machine refused the launch of %s: %s" % (kernel.name, error)))
        self._left -= report.seconds
        row.update(findings.counts(report, memory, self._numbers), seconds=round(report.seconds, 6))
        named = [key for key, name in zip(memory.keys, memory.names) if name is not None]
        for entry, key in zip(row["tensors"], named):
            entry["storage"] = self._numbers.setdefault(key, len(self._numbers))
        for found in report.findings[: report.finding_count]:
            self.finding(kernel.name, memory, found)
        for seen, key in zip(report.ranges[: report.counted_ranges], memory.keys):
            if seen.store_bytes or seen.atomic_bytes:
                self._writers[key] = kernel.name, max(row["lines"], key=lambda line: line["store_bytes"])["line"]
        written = tuple(key for key, (raw, old) in zip(memory.keys, before) if old is None or not Torch.equal(raw, old))
        if self._tape:
            if kernel.wants_all_storages or taped is None:
                self._tape.stop("%s is given addresses that no tensor argument stands for" % kernel.name)
            else:
                changed = [storage for key, storage in zip(memory.keys, memory.storages) if key in written]
                self._tape.launch(kernel.text, grid, taped, changed)
        self._observer.log(tuple(memory.keys), written, index)
        for key, storage in zip(memory.keys, memory.storages):
            if key in written:
                self._observer.launched(key, storage)
        if not report.completed:
            self.stop(
                KernelTimeout("%s did not finish within %g seconds on this machine" % (kernel.name, self._seconds))
            )

    def name_storages(self, inputs, results, paths):
        """Says in the rows what each storage is to the call: an argument of it, or a result."""
        said = {}
        for path, tensor in zip(paths, results):
            said.setdefault(self._observer.key(tensor), path)
        said.update((self._observer.key(tensor), name) for name, tensor in inputs.items())
        words = {number: said.get(key, "") for key, number in self._numbers.items()}
        for row in self.rows:
            for entry in row.get("tensors", ()):
                entry["tensor"] = words[entry["storage"]]

    def mark_outputs(self, results):
        for tensor in results:
            self._observer.look(tensor, last=True)
        for position, tensor in enumerate(results):
            key = self._observer.key(tensor)
            entry = self._observer.undefined_entry(key)
            found = findings.unwritten(position, tensor, entry, self._writers.get(key)) if entry is not None else None
            if found:
                self.findings["unwritten", position] = found
        self._observer.mark_outputs(self.rows, results, self.count)


class Memory:
    """The storages of one launch as ranges for the machine."""

    def __init__(self, observer, undefined, everything):
        self._observer, self._undefined, self.argument = observer, undefined, None
        self.storages, self.keys, self.names, self.ranges = [], [], [], []
        self._index = {}
        if everything:
            for storage in observer.live_storages():
                self._add(storage, None, 1)

    def _add(self, storage, name, width):
        key = storage._cdata
        size = Torch.storage_nbytes(storage)
        if key not in self._index:
            self._index[key] = len(self.ranges)
            undefined = self._observer.undefined_map(key, size) if self._undefined else 0
            self.ranges.append((Torch.storage_data_ptr(storage), size, undefined, min(width, 8)))
            self.storages.append(storage)
            self.keys.append(key)
            self.names.append(name)
        index = self._index[key]
        base, size, undefined, granule = self.ranges[index]
        self.ranges[index] = (base, size, undefined, min(granule, width))
        self.names[index] = self.names[index] or name
        return index

    def taped(self, arguments, where):
        """The arguments as tape.Tape.launch() takes them; None if an address belongs to no storage."""
        taped = []
        for index, (value, place) in enumerate(zip(arguments, where)):
            if place >= 0:
                base, _, _, granule = self.ranges[place]
                taped.append((self.storages[place], value - base, granule))
            elif self.pointers[index] and value:
                return None
            else:
                taped.append(value)
        return taped

    def _pointer(self, value, name, position):
        if isinstance(value, Torch.Tensor):
            if self.argument is not None:
                value = self.argument(value, position, name)
            self._observer.look(value)
            self._observer.key(value)
            return Torch.data_ptr(value), self._add(Torch.untyped_storage(value), name, Torch.element_size(value))
        base = getattr(value, "base", None)  # triton.reinterpret
        if isinstance(base, Torch.Tensor):
            return self._pointer(base, name, position)
        return (int(value.data_ptr()) if hasattr(value, "data_ptr") else int(value or 0)), -1

    def arguments(self, program, leaves):
        """8-byte values and, for each, the range that it points into."""
        descriptors = sum(1 for _, value in leaves if hasattr(value, "block_shape"))
        leaves = self._expand(leaves, 0, program) if descriptors else leaves
        if len(leaves) != len(program.kinds):
            raise NotJudged("the kernel takes %d arguments, the launch has %d" % (len(program.kinds), len(leaves)))
        values, where, self.leaves = [], [], leaves
        self.pointers = [kind == ir_host.POINTER for kind in program.kinds]
        for index, (name, value) in enumerate(leaves):
            if program.kinds[index] == ir_host.POINTER:
                address, place = self._pointer(value, name, index)
                values.append(address & 0xFFFFFFFFFFFFFFFF)
                where.append(place)
            else:
                values.append(program.encode(index, value))
                where.append(-1)
        return values, where

    def _expand(self, leaves, spare, program):
        out = []
        for name, value in leaves:
            if hasattr(value, "block_shape"):
                out += [(name, item) for item in descriptor_arguments(value, spare)]
            else:
                out.append((name, value))
        return self._expand(leaves, spare + 1, program) if len(out) < len(program.kinds) and spare < 4 else out


def compiled(launches, name, text):
    try:
        return launches.machine.compile(text)
    except ir_host.Unsupported as error:
        launches.stop(NotJudged("kernel %s: %s" % (name, str(error).replace("not_judged: ", "", 1))))


class MachineKernel:
    """Looks enough like triton's CompiledKernel for JITFunction.run and for a curious candidate."""

    def __init__(self, launches, src, text, options):
        # Closures, no attributes: a candidate that holds this object must not reach the log of launches by it.
        self._launch = lambda grid, values: launches.run(self, grid, values)
        self._compiled = functools.cache(lambda: compiled(launches, self.name, text))
        self.src, self.name, self.hash = src, src.fn.__name__, "kbx"
        self.function = self.module = self.packed_metadata = None
        self.n_regs, self.n_spills, self.n_max_threads = 32, 0, 1024
        self.text, self.asm = text, {"ttir": text}
        fields = {"shared": 0, "name": self.name, "tmem_size": 0, "global_scratch_size": 0}
        fields.update(
            (name, getattr(options, name)) for name in ("num_warps", "num_stages", "num_ctas") if hasattr(options, name)
        )
        self.metadata = types.SimpleNamespace(**fields)
        self.wants_all_storages = "int_to_ptr" in text  # a table of pointers may lead to any tensor

    def program(self):
        return self._compiled()

    def flatten(self, values):
        return [
            (name, leaf)
            for name, kind, value in compat.runtime_arguments(self.src, values)
            for _, leaf in compat.flatten_kind(kind, value)
        ]

    def launch_metadata(self, grid, stream, *args):
        return None

    def run(self, grid_0, grid_1, grid_2, stream, function, packed, metadata, enter, leave, *values):
        self._launch([int(grid_0), int(grid_1), int(grid_2)], values)

    def __getitem__(self, grid):
        def launch(*values, **kwargs):
            self._launch([int(size) for size in (list(grid) + [1, 1])[:3]], values)

        return launch

    def _init_handles(self):
        pass
