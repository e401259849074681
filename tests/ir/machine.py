"""The C interface of the IR machine through ctypes, for the tests of this folder."""
import ctypes as c
import os
import struct

import torch

UNDEFINED, RACES, COUNTS, ASSERTS, ALIGNMENT = 1, 2, 4, 8, 16


class Range(c.Structure):
    _fields_ = [
        ("base", c.c_uint64),
        ("size", c.c_uint64),
        ("undefined", c.c_uint64),
        ("granule", c.c_uint32),
        ("name", c.c_int32),
        ("reserved", c.c_uint64),
    ]


class Launch(c.Structure):
    _fields_ = [
        ("struct_size", c.c_uint32),
        ("flags", c.c_uint32),
        ("grid", c.c_int32 * 3),
        ("threads", c.c_int32),
        ("order", c.c_int32),
        ("reserved", c.c_uint32),
        ("order_seed", c.c_uint64),
        ("time_limit_s", c.c_double),
        ("step_limit", c.c_uint64),
        ("arguments", c.POINTER(c.c_uint64)),
        ("argument_ranges", c.POINTER(c.c_int32)),
        ("ranges", c.POINTER(Range)),
        ("argument_count", c.c_uint32),
        ("range_count", c.c_uint32),
        ("reserved2", c.c_uint64),
    ]


class Finding(c.Structure):
    _fields_ = [
        ("kind", c.c_int32),
        ("range", c.c_int32),
        ("name", c.c_int32),
        ("program", c.c_int32 * 3),
        ("other", c.c_int32 * 3),
        ("line", c.c_uint32),
        ("count", c.c_uint64),
        ("distance", c.c_int64),
        ("offset", c.c_int64),
        ("element", c.c_int64),
        ("where", c.c_char * 112),
        ("other_where", c.c_char * 112),
        ("operation", c.c_char * 48),
        ("argument", c.c_int32),
        ("width", c.c_uint32),
        ("index", c.c_int64),
        ("other_line", c.c_uint32),
        ("reserved", c.c_uint32),
    ]


class LineCounts(c.Structure):
    _fields_ = [
        ("where", c.c_char * 112),
        ("line", c.c_uint32),
        ("reserved", c.c_uint32),
        ("load_bytes", c.c_uint64),
        ("store_bytes", c.c_uint64),
        ("atomic_bytes", c.c_uint64),
        ("flops", c.c_uint64),
        ("instructions", c.c_uint64),
    ]


class RangeCounts(c.Structure):
    _fields_ = [
        ("load_bytes", c.c_uint64),
        ("store_bytes", c.c_uint64),
        ("atomic_bytes", c.c_uint64),
        ("unique_load_bytes", c.c_uint64),
        ("unique_store_bytes", c.c_uint64),
    ]


class Report(c.Structure):
    _fields_ = [
        ("load_bytes", c.c_uint64),
        ("store_bytes", c.c_uint64),
        ("atomic_bytes", c.c_uint64),
        ("unique_load_bytes", c.c_uint64),
        ("unique_store_bytes", c.c_uint64),
        ("flops", c.c_uint64),
        ("instructions", c.c_uint64),
        ("seconds", c.c_double),
        ("completed", c.c_int32),
        ("finding_count", c.c_int32),
        ("dropped_findings", c.c_uint64),
        ("error", c.c_char * 256),
        ("findings", Finding * 64),
        ("flops_by", c.c_uint64 * 14 * 2),
        ("line_count", c.c_int32),
        ("counted_ranges", c.c_int32),
        ("lines", LineCounts * 32),
        ("ranges", RangeCounts * 64),
    ]


class Refused(Exception):
    """The machine does not take the text or the launch."""


class Machine:
    """The library, and compiled programs by text."""

    def __init__(self, path=None):
        lib = c.CDLL(path or os.environ["KBX_WORKER_LIB"])
        lib.kbx_ir_compile.restype = c.c_void_p
        lib.kbx_ir_compile.argtypes = [c.c_char_p, c.c_uint64, c.c_char_p, c.c_uint64]
        lib.kbx_ir_argument_count.argtypes = [c.c_void_p]
        lib.kbx_ir_argument_kind.argtypes = [c.c_void_p, c.c_int32]
        lib.kbx_ir_launch.argtypes = [c.c_void_p, c.POINTER(Launch), c.POINTER(Report)]
        lib.kbx_ir_finding_text.restype = c.c_char_p
        lib.kbx_ir_sizeof.restype = c.c_uint64
        for which, kind in enumerate((Range, Launch, Finding, Report, LineCounts, RangeCounts)):
            assert lib.kbx_ir_sizeof(which) == c.sizeof(kind), kind
        self.lib = lib
        self.programs = {}

    def compile(self, text):
        if text not in self.programs:
            error = c.create_string_buffer(400)
            data = text.encode()
            program = self.lib.kbx_ir_compile(data, len(data), error, 400)
            if not program:
                raise Refused(error.value.decode())
            self.programs[text] = program
        return self.programs[text]

    def launch(self, text, grid, values, flags=0, threads=1, undefined=None, **options):
        """Runs on the values' own memory. undefined: {storage address: bytearray}. Returns the Report."""
        program = self.compile(text)
        ranges, index = self._ranges(values, undefined or {})
        words, owners = [], []
        for v in values:
            if isinstance(v, torch.Tensor):
                words.append(v.data_ptr())
                owners.append(index.get(v.untyped_storage().data_ptr(), -1))
            else:
                kind = self.lib.kbx_ir_argument_kind(program, len(words))
                is_float = 5 <= kind <= 10
                words.append(struct.unpack("Q", struct.pack("d", v))[0] if is_float else int(v or 0) & (2**64 - 1))
                owners.append(-1)
        spec = Launch(struct_size=c.sizeof(Launch), flags=flags, threads=threads, **options)
        spec.grid[:] = [*grid, 1, 1][:3]
        spec.arguments = (c.c_uint64 * max(len(words), 1))(*words)
        spec.argument_ranges = (c.c_int32 * max(len(owners), 1))(*owners)
        spec.argument_count, spec.ranges, spec.range_count = len(words), ranges, len(index)
        report = Report()
        if self.lib.kbx_ir_launch(program, c.byref(spec), c.byref(report)):
            raise Refused(report.error.decode())
        return report

    def found(self, report):
        """The findings as short texts."""
        return [
            f"{self.lib.kbx_ir_finding_text(f.kind).decode()}@{f.where.decode()}"
            for f in report.findings[: report.finding_count]
        ]

    @staticmethod
    def _ranges(values, undefined):
        storages = {}
        for v in values:
            if isinstance(v, torch.Tensor) and v.untyped_storage().nbytes():
                s = v.untyped_storage()
                size, granule = storages.get(s.data_ptr(), (s.nbytes(), 8))
                storages[s.data_ptr()] = (size, min(granule, v.element_size()))
        ranges = (Range * max(len(storages), 1))()
        for k, (base, (size, granule)) in enumerate(storages.items()):
            m = undefined.get(base)
            address = c.addressof((c.c_char * size).from_buffer(m)) if m is not None else 0
            ranges[k] = Range(base, size, address, granule, k, 0)
        return ranges, {base: k for k, base in enumerate(storages)}
