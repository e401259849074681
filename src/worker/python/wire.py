"""Wire: the numbers and the framing that kbx and its workers agree on (mirrors worker/wire.h, see docs/wire.md)."""

import builtins
import json
import os
import struct

__builtins__ = dict(vars(builtins))  # as trusted.py: a candidate cannot replace what this file calls

PROTOCOL = 1
MAGIC = b"KBXW"
HEADER = struct.Struct("<4sHHII")  # magic, version, type, payload length, sequence number

LOAD, LOADED, CALL, RETURNED, FINISH, BYE, PREPARE, PREPARED = 1, 2, 3, 4, 5, 6, 7, 8

MAX_FRAME_BYTES = 16 << 20
MAX_PACKET_BYTES = 64 << 10
ZYGOTE_FD = 3
BOOT = (
    "import sys; del sys.argv[0]; __file__ = sys.argv[0]; "
    "exec(compile(open(__file__, encoding='utf-8').read(), 'kbx/zygote.py', 'exec'))"
)

ALIGN_BYTES = 64
REDZONE_BYTES = 256
REDZONE_BYTE = 0xA5
POISON = 0x7FFF  # 16 bits, repeated over storage that nobody wrote

MAX_VALUE_DEPTH = 16
MAX_VALUE_ITEMS = 65536
MAX_DIMS = 64
MAX_FINDINGS = 64
MAX_LAUNCHES = 4096
MAX_TRACE_BYTES = 8 << 10
MAX_MESSAGE_BYTES = 4 << 10


def constants():
    """The numbers in the order in which kbx_wire_constants() gives them."""
    return [
        PROTOCOL,
        struct.unpack("<I", MAGIC)[0],
        HEADER.size,
        LOAD,
        LOADED,
        CALL,
        RETURNED,
        FINISH,
        BYE,
        MAX_FRAME_BYTES,
        MAX_PACKET_BYTES,
        ZYGOTE_FD,
        ALIGN_BYTES,
        REDZONE_BYTES,
        REDZONE_BYTE,
        POISON,
        MAX_VALUE_DEPTH,
        MAX_VALUE_ITEMS,
        MAX_DIMS,
        MAX_FINDINGS,
        MAX_LAUNCHES,
        MAX_TRACE_BYTES,
        MAX_MESSAGE_BYTES,
        PREPARE,
        PREPARED,
    ]


def _refuse(value):
    raise TypeError("not a JSON value")


class WireError(Exception):
    """The other side broke the protocol or went away."""


class Channel:
    """Frames over one stream descriptor. Every function it needs is captured now, before a candidate is imported."""

    def __init__(self, fd):
        self._fd = fd
        self._read, self._write = os.read, os.write
        # The C halves of json: its python halves look builtins up, which a candidate may have replaced.
        self._chunks = json.encoder.c_make_encoder(
            None, _refuse, json.encoder.encode_basestring_ascii, None, ":", ",", False, False, True
        )
        self._scan = json.scanner.make_scanner(json.JSONDecoder())

    def _exactly(self, count):
        parts = []
        while count:
            part = self._read(self._fd, min(count, 1 << 20))
            if not part:
                raise WireError("the other side closed the socket")
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def receive(self):
        """(type, sequence, payload). Raises WireError at the end of the stream."""
        magic, version, kind, length, sequence = HEADER.unpack(self._exactly(HEADER.size))
        if magic != MAGIC or version != PROTOCOL or length > MAX_FRAME_BYTES:
            raise WireError("not a frame of protocol %d" % PROTOCOL)
        return kind, sequence, self._scan(self._exactly(length).decode(), 0)[0]

    def send(self, kind, sequence, payload):
        body = "".join(self._chunks(payload, 0)).encode()
        if len(body) > MAX_FRAME_BYTES:
            raise WireError("frame of %d bytes" % len(body))
        data = memoryview(HEADER.pack(MAGIC, PROTOCOL, kind, len(body), sequence) + body)
        while data:
            data = data[self._write(self._fd, data) :]
