"""Every launch of a process, run twice: by the device under test on the candidate's own memory, and by another on
copies of the arguments as they were before; then all argument tensors are compared.
"""

import functools
import re
import time

import compare
import worker

MAX_BYTES = 512 << 20
OTHER_ACCUMULATION = 65536  # KBX_IR_OTHER_ACCUMULATION of ir/c_api.h


class Skip(Exception):
    """The other side cannot run this launch; says why."""


class Deadline(BaseException):
    """The whole case is out of time."""


class Watch:
    """Rows: one dict a launch, see launched()."""

    def __init__(self, seconds=60.0, threads=1):
        self.rows, self.seconds, self.threads = [], seconds, threads
        self.limit = 10**9  # rows; launches beyond it run on the device alone
        self._until = time.process_time() + seconds  # processor time: a busy machine changes no result
        self._kernels = {}

    def lowered(self, src, target, options):
        kernel = worker.lower(src, target, options)
        return self._kernels.setdefault(kernel.text, kernel)

    def launched(self, kernel, grid, values, device):
        """Runs device() and the other side; appends a row {kernel, grid, skipped | tensors: [difference or None]}."""
        row = {"kernel": kernel.name, "grid": list(grid)}
        memory = worker.Memory(values)
        if len(self.rows) >= self.limit or min(grid) <= 0:
            return device()
        self.rows.append(row)
        if memory.nbytes() > MAX_BYTES:
            row["skipped"] = "more than %d MiB of arguments" % (MAX_BYTES >> 20)
            return device()
        before = memory.copy()
        start = time.perf_counter()
        device()
        row["device_seconds"] = time.perf_counter() - start
        after = memory.copy()
        try:
            other = self.other(kernel, grid, values, memory, before, row)
            row["ops"] = operations(kernel.text)
            row["tensors"] = differences(memory, other, after)
            if any(row["tensors"]):
                row["text"] = kernel.text
                self.explain(kernel, grid, values, memory, before, self.machine_side(other, after), row)
        except Skip as why:
            row["skipped"] = str(why)
        finally:
            memory.restore(after)

    def machine_side(self, other, after):
        return other

    def explain(self, kernel, grid, values, memory, before, machine, row):
        """Adds to the row what tells where a difference comes from. machine: memory as the machine left it."""
        again = copied(before)
        self.machine_run(kernel, grid, values, again, {}, OTHER_ACCUMULATION, order="reverse")
        row["order"] = differences(memory, again, machine)

    def machine_run(self, kernel, grid, values, copies, row, flags=0, order="forward"):
        try:
            report = kernel.launch(grid, values, copies, flags, self.threads, order)
        except worker.ir_host.Unsupported as error:
            raise Skip(str(error)) from None
        except worker.ir_host.MachineError as error:
            raise Skip("the machine refused the launch: %s" % error) from None
        row["machine_seconds"] = report.seconds
        row["findings"] = sorted(set(row.get("findings", [])) | found_by(report))
        if not report.completed:
            raise Skip("the machine stopped at a limit")
        return report


def found_by(report):
    return {worker.ir_host.KINDS[f.kind][0] for f in report.findings[: report.finding_count]}


def differences(memory, ours, theirs):
    """One entry a tensor: None or what compare.difference says."""
    return [compare.difference(ours[at], theirs[at], dtype) for at, (_, dtype, _) in memory.storages.items()]


def copied(before):
    return {address: data.clone() for address, data in before.items()}


# What makes a GPU's value differ in the last places although the kernel is right.
INEXACT = {
    "order": ('"tt.reduce"', '"tt.dot"', '"tt.scan"', '"tt.atomic_rmw"'),
    "approximate": ("math.exp", "math.log", "math.sin", "math.cos", "math.sqrt", "math.rsqrt", "math.erf", "extern_el"),
    "division": ("arith.divf",),
}


@functools.lru_cache(maxsize=None)
def operations(text):
    found = [name for name, marks in INEXACT.items() if any(mark in text for mark in marks)]
    if re.search(r'"tt.reduce"[^{]*\(\{[^}]*bf16, bf16\) -> bf16', text):
        found.append("bf16 sums")
    if re.search(r'"tt.dot"[^\n]*inputPrecision = 0 [^\n]*f32>, tensor<[0-9x]*xf32>', text):
        found.append("tf32")
    if "arith.mulf" in text and ("arith.addf" in text or "arith.subf" in text):
        found.append("contraction")
    return found
