"""ctypes to the IR machine in libkbxworker.so (ir/c_api.h): compile a text, launch it, read the report."""

import ctypes as C
import struct

from trusted import private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

VERSION = 2
CHECK_UNDEFINED, CHECK_RACES, COUNT_UNIQUE, CHECK_ASSERTS, CHECK_ALIGNMENT = 1, 2, 4, 8, 16
ORDERS = {"forward": 0, "reverse": 1, "shuffled": 2}
FIRST_FLOAT, LAST_FLOAT, POINTER = 5, 10, 11
MAX_RANGES = 4096

# KbxIrFindingKind -> (rule of docs/wire.md, severity, words)
KINDS = {
    0: ("out_of_bounds", "reject", "load out of bounds"),
    1: ("out_of_bounds", "reject", "store out of bounds"),
    2: ("out_of_bounds", "reject", "atomic update out of bounds"),
    3: ("misaligned", "reject", "access at an address that is no multiple of the element size"),
    4: ("undefined_read", "warn", "a value that nobody defined reaches memory"),
    5: ("undefined_read", "warn", "a value that nobody defined is used as a mask"),
    6: ("undefined_read", "warn", "a value that nobody defined is used as an address"),
    7: ("undefined_read", "warn", "a value that nobody defined decides a branch"),
    8: ("undefined_read", "reject", "atomic update of memory that was never written"),
    9: ("double_store", "warn", "one block stores different values to one element"),
    10: ("data_race", "reject", "two programs store different values to one element"),
    11: ("data_race", "reject", "one program reads what another one stores"),
    12: ("data_race", "reject", "one program stores to what another one updates atomically"),
    13: ("data_race", "warn", "one program reads what others update atomically"),
    14: ("device_assert", "reject", "device_assert failed"),
    15: ("out_of_bounds", "reject", "gather index outside its source"),
    16: ("unaligned_claim", "warn", "a multiple that the kernel was compiled for is none"),
    17: ("time_limit", "note", "the launch was stopped at its time limit"),
    18: ("time_limit", "note", "the launch was stopped at its step limit"),
}


class Range(C.Structure):
    _fields_ = [
        ("base", C.c_uint64),
        ("size", C.c_uint64),
        ("undefined", C.c_uint64),
        ("granule", C.c_uint32),
        ("name", C.c_int32),
        ("reserved", C.c_uint64),
    ]


class Launch(C.Structure):
    _fields_ = [
        ("struct_size", C.c_uint32),
        ("flags", C.c_uint32),
        ("grid", C.c_int32 * 3),
        ("threads", C.c_int32),
        ("order", C.c_int32),
        ("reserved", C.c_uint32),
        ("order_seed", C.c_uint64),
        ("time_limit_s", C.c_double),
        ("step_limit", C.c_uint64),
        ("arguments", C.POINTER(C.c_uint64)),
        ("argument_ranges", C.POINTER(C.c_int32)),
        ("ranges", C.POINTER(Range)),
        ("argument_count", C.c_uint32),
        ("range_count", C.c_uint32),
        ("reserved2", C.c_uint64),
    ]


class Finding(C.Structure):
    _fields_ = [
        ("kind", C.c_int32),
        ("range", C.c_int32),
        ("name", C.c_int32),
        ("program", C.c_int32 * 3),
        ("other", C.c_int32 * 3),
        ("line", C.c_uint32),
        ("count", C.c_uint64),
        ("distance", C.c_int64),
        ("offset", C.c_int64),
        ("element", C.c_int64),
        ("where", C.c_char * 112),
        ("other_where", C.c_char * 112),
        ("operation", C.c_char * 48),
        ("argument", C.c_int32),
        ("width", C.c_uint32),
        ("index", C.c_int64),
        ("other_line", C.c_uint32),
        ("reserved", C.c_uint32),
    ]


class LineCounts(C.Structure):
    _fields_ = [
        ("where", C.c_char * 112),
        ("line", C.c_uint32),
        ("reserved", C.c_uint32),
        ("load_bytes", C.c_uint64),
        ("store_bytes", C.c_uint64),
        ("atomic_bytes", C.c_uint64),
        ("flops", C.c_uint64),
        ("instructions", C.c_uint64),
    ]


class RangeCounts(C.Structure):
    _fields_ = [
        ("load_bytes", C.c_uint64),
        ("store_bytes", C.c_uint64),
        ("atomic_bytes", C.c_uint64),
        ("unique_load_bytes", C.c_uint64),
        ("unique_store_bytes", C.c_uint64),
    ]


class Report(C.Structure):
    _fields_ = [
        ("load_bytes", C.c_uint64),
        ("store_bytes", C.c_uint64),
        ("atomic_bytes", C.c_uint64),
        ("unique_load_bytes", C.c_uint64),
        ("unique_store_bytes", C.c_uint64),
        ("flops", C.c_uint64),
        ("instructions", C.c_uint64),
        ("seconds", C.c_double),
        ("completed", C.c_int32),
        ("finding_count", C.c_int32),
        ("dropped_findings", C.c_uint64),
        ("error", C.c_char * 256),
        ("findings", Finding * 64),
        ("flops_by", C.c_uint64 * 14 * 2),
        ("line_count", C.c_int32),
        ("counted_ranges", C.c_int32),
        ("lines", LineCounts * 32),
        ("ranges", RangeCounts * 64),
    ]


class MachineError(Exception):
    """The library is not the one this file was written for, or a launch was put together wrongly."""


class Unsupported(Exception):
    """The machine has no such operation: the candidate is not judged."""


class Machine:
    """The library. One object a process."""

    def __init__(self, library):
        lib = self._lib = library
        lib.kbx_ir_compile.restype = C.c_void_p
        lib.kbx_ir_compile.argtypes = [C.c_char_p, C.c_uint64, C.c_char_p, C.c_uint64]
        lib.kbx_ir_argument_count.argtypes = [C.c_void_p]
        lib.kbx_ir_argument_kind.argtypes = [C.c_void_p, C.c_int32]
        lib.kbx_ir_launch.argtypes = [C.c_void_p, C.c_void_p, C.c_void_p]
        lib.kbx_ir_sizeof.restype = C.c_uint64
        if lib.kbx_ir_version() != VERSION:
            raise MachineError("IR machine version %d, expected %d" % (lib.kbx_ir_version(), VERSION))
        for which, kind in enumerate((Range, Launch, Finding, Report, LineCounts, RangeCounts)):
            if lib.kbx_ir_sizeof(which) != C.sizeof(kind):
                raise MachineError(
                    "%s has %d bytes there, %d here" % (kind.__name__, lib.kbx_ir_sizeof(which), C.sizeof(kind))
                )

    def compile(self, text):
        return Program(self._lib, text)


class Program:
    """One compiled kernel."""

    def __init__(self, lib, text):
        self._lib = lib
        error = C.create_string_buffer(512)
        data = text.encode()
        self._handle = lib.kbx_ir_compile(data, len(data), error, len(error))
        if not self._handle:
            raise Unsupported(error.value.decode(errors="replace"))
        self.kinds = [lib.kbx_ir_argument_kind(self._handle, k) for k in range(lib.kbx_ir_argument_count(self._handle))]

    def encode(self, index, value):
        """8 bytes of one scalar argument."""
        kind = self.kinds[index]
        if FIRST_FLOAT <= kind <= LAST_FLOAT:
            return struct.unpack("<Q", struct.pack("<d", float(value)))[0]
        return int(value) & 0xFFFFFFFFFFFFFFFF

    def launch(self, grid, arguments, argument_ranges, ranges, flags, threads, order, limit_s):
        """arguments: 8-byte integers. ranges: [(base, size, undefined address, granule)]. Returns a Report."""
        table = (Range * max(len(ranges), 1))()
        for index, (base, size, undefined, granule) in enumerate(ranges):
            table[index] = Range(base, size, undefined, granule, index, 0)
        count = len(arguments)
        values = (C.c_uint64 * max(count, 1))(*arguments)
        where = (C.c_int32 * max(count, 1))(*argument_ranges)
        launch = Launch(
            struct_size=C.sizeof(Launch),
            flags=flags,
            grid=(C.c_int32 * 3)(*grid),
            threads=threads,
            order=ORDERS.get(order, 0),
            order_seed=1,
            time_limit_s=limit_s,
            arguments=values,
            argument_ranges=where,
            ranges=table,
            argument_count=count,
            range_count=len(ranges),
        )
        report = Report()
        if self._lib.kbx_ir_launch(self._handle, C.byref(launch), C.byref(report)) != 0:
            raise MachineError(report.error.decode(errors="replace"))
        return report
