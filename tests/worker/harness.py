"""Plays kbx's part against a zygote and its children, in python, for the tests of src/worker.

Environment: KBX_WORKER_LIB (libkbxworker.so; default <repo>/build/lib), KBX_WORKER_FOLDER (zygote.py and the rest; default
<repo>/src/worker/python), KBX_WORKER_PYTHON (default: this python).
"""

import array
import ctypes
import importlib
import json
import os
import select
import socket
import subprocess
import sys
import threading
import time

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORKER = os.environ.get("KBX_WORKER_FOLDER", os.path.join(REPO, "src", "worker", "python"))
LIBRARY = os.environ.get("KBX_WORKER_LIB", os.path.join(REPO, "build", "lib", "libkbxworker.so"))
PYTHON = os.environ.get("KBX_WORKER_PYTHON", sys.executable)
sys.path.insert(0, WORKER)

import wire  # noqa: E402


def worker_module(name):
    """One of the worker's own modules, by its name there."""
    return importlib.import_module(name)


BOOT = worker_module("wire").BOOT
LIMITS = {"memory_bytes": 4 << 30, "cpu_seconds": 60, "wall_seconds": 60, "processes": 32, "file_bytes": 64 << 20}
IN_BYTES = 8 << 20
OUT_BYTES = 32 << 20
ARCHS = [80, 86, 89, 90, 100, 120]
SIZES = {
    "f16": 2,
    "bf16": 2,
    "f32": 4,
    "f64": 8,
    "f8e4m3": 1,
    "f8e5m2": 1,
    "i8": 1,
    "i16": 2,
    "i32": 4,
    "i64": 8,
    "u8": 1,
    "bool": 1,
    "c64": 8,
    "c128": 16,
}


def kernel_memory(size=64 << 20):
    """As kbx makes it (sandbox/kernel_cache.h)."""
    import fcntl

    fd = ctypes.CDLL(None).memfd_create(b"kbx-kernels", 2)
    os.ftruncate(fd, size)
    fcntl.fcntl(fd, 1033, 1 | 2 | 4)
    return fd


class Zygote:
    """A zygote process. `hello` is its first packet's content; `fatal` instead where it cannot work."""

    def __init__(self, library=LIBRARY, python=PYTHON, env=None, cache=None):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.sock = ours
        keep = dict(env or {})
        place = "import os,sys; os.dup2(int(sys.argv[1]), 3); os.execv(sys.argv[2], sys.argv[2:])"
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-I",
                "-c",
                place,
                str(theirs.fileno()),
                python,
                "-I",
                "-c",
                BOOT,
                os.path.join(WORKER, "zygote.py"),
                "--lib",
                library,
                *(["--cache", cache] if cache else []),
            ],
            pass_fds=[theirs.fileno()],
            env=keep,
            stdin=subprocess.DEVNULL,
        )
        theirs.close()
        self._next = 0
        first = self.packet(90) or {}
        self.hello, self.fatal = first.get("hello"), first.get("fatal")

    def packet(self, seconds=30):
        ready, _, _ = select.select([self.sock], [], [], seconds)
        if not ready:
            raise TimeoutError("no packet from the zygote")
        data = self.sock.recv(wire.MAX_PACKET_BYTES)
        return json.loads(data) if data else None

    def fork(self, role="value", limits=None, jail=True, kernels=None):
        self._next += 1
        return ChildProcess(self, self._next, role, dict(LIMITS, **(limits or {})), jail, kernels)

    def close(self):
        self.sock.close()
        self.process.wait(20)


class Gone(Exception):
    """The child ended without an answer."""


class ChildProcess:
    """One forked child with its arena and its output."""

    def __init__(self, zygote, ident, role, limits, jail, kernels=None):
        self.zygote, self.ident, self.role = zygote, ident, role
        self.output, self.dropped, self.exited, self._sequence = b"", 0, None, 0
        libc = ctypes.CDLL(None)
        self.arena_fd = libc.memfd_create(b"kbx-arena", 2)  # MFD_ALLOW_SEALING
        size = IN_BYTES + OUT_BYTES
        os.ftruncate(self.arena_fd, size)
        import fcntl

        fcntl.fcntl(self.arena_fd, 1033, 1 | 2 | 4)  # F_ADD_SEALS: seal, shrink, grow
        import mmap

        self.arena = mmap.mmap(self.arena_fd, size)
        self._free = wire.REDZONE_BYTES
        self.sock, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        read_fd, write_fd = os.pipe()
        packet = json.dumps({"fork": {"id": ident, "role": role, "limits": limits, "jail": jail}}).encode()
        fds = array.array("i", [theirs.fileno(), self.arena_fd, write_fd] + ([kernels] if kernels is not None else []))
        zygote.sock.sendmsg([packet], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)])
        theirs.close()
        os.close(write_fd)
        self._drain = threading.Thread(target=self._read_output, args=(read_fd,), daemon=True)
        self._drain.start()

    def _read_output(self, fd):
        while True:
            part = os.read(fd, 1 << 16)
            if not part:
                break
            if len(self.output) < 1 << 20:
                self.output += part
            else:
                self.dropped += len(part)
        os.close(fd)

    # the arena
    def tensor(self, name, dtype, shape, data, stride=None, offset=0, requires_grad=False):
        """Puts bytes into the arena with redzones; returns the VALUE."""
        at = -(-self._free // wire.ALIGN_BYTES) * wire.ALIGN_BYTES
        zone = bytes([wire.REDZONE_BYTE]) * wire.REDZONE_BYTES
        self.arena[at - wire.REDZONE_BYTES : at] = zone
        self.arena[at : at + len(data)] = data
        self.arena[at + len(data) : at + len(data) + wire.REDZONE_BYTES] = zone
        self._free = at + len(data) + 2 * wire.REDZONE_BYTES
        if stride is None:
            stride, step = [], 1
            for size in reversed(shape):
                stride.insert(0, step)
                step *= max(size, 1)
        return {
            "t": "tensor",
            "dtype": dtype,
            "shape": list(shape),
            "stride": list(stride),
            "offset": offset,
            "at": at,
            "bytes": len(data),
            "name": name,
            "requires_grad": requires_grad,
        }

    def read(self, value):
        return bytes(self.arena[value["at"] : value["at"] + value["bytes"]])

    # frames
    def send(self, kind, payload):
        self._sequence += 1
        body = json.dumps(payload).encode()
        self.sock.sendall(wire.HEADER.pack(wire.MAGIC, wire.PROTOCOL, kind, len(body), self._sequence) + body)

    def _exactly(self, count, deadline):
        data = b""
        while len(data) < count:
            ready, _, _ = select.select([self.sock], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("no answer from the child")
            try:
                part = self.sock.recv(count - len(data))
            except ConnectionResetError:
                part = b""
            if not part:
                raise Gone()
            data += part
        return data

    def receive(self, seconds=60):
        deadline = time.monotonic() + seconds
        magic, version, kind, length, sequence = wire.HEADER.unpack(self._exactly(wire.HEADER.size, deadline))
        assert magic == wire.MAGIC and version == wire.PROTOCOL and length <= wire.MAX_FRAME_BYTES
        assert sequence == self._sequence, "reply to another frame"
        return kind, json.loads(self._exactly(length, deadline))

    def load(self, source, entries=("run",), seconds=60, **more):
        fields = {
            "role": self.role,
            "source": source,
            "entries": list(entries),
            "protocol": "function",
            "arch": 90,
            "archs": ARCHS,
            "threads": 1,
            "kernel_seconds": 20.0,
            "checks": {"undefined": True, "races": True, "counts": True},
            "order": "forward",
            "record_ops": True,
            "in_bytes": IN_BYTES,
            "out_at": IN_BYTES,
            "out_bytes": OUT_BYTES,
        }
        self.send(wire.LOAD, dict(fields, **more))
        kind, reply = self.receive(seconds)
        assert kind == wire.LOADED
        return reply

    def prepare(self, seconds=60, **fields):
        self.send(wire.PREPARE, dict({"role": self.role, "gpu": 0}, **fields))
        kind, reply = self.receive(seconds)
        assert kind == wire.PREPARED
        return reply

    def call(self, *args, entry="run", kwargs=None, mode="eager", seconds=60, **more):
        self.send(
            wire.CALL, dict({"id": 1, "entry": entry, "mode": mode, "args": list(args), "kwargs": kwargs or {}}, **more)
        )
        kind, reply = self.receive(seconds)
        assert kind == wire.RETURNED
        return reply

    def finish(self, seconds=10):
        self.send(wire.FINISH, {})
        kind, _ = self.receive(seconds)
        assert kind == wire.BYE

    def kill(self):
        self.zygote.sock.send(json.dumps({"kill": {"id": self.ident}}).encode())

    def wait(self, seconds=30):
        """The `exited` (or `fork_failed`) packet of this child."""
        while self.exited is None:
            packet = self.zygote.packet(seconds)
            if packet is None:
                raise Gone()
            for name in ("exited", "fork_failed"):
                if name in packet and packet[name]["id"] == self.ident:
                    self.exited = packet[name]
        self._drain.join(5)
        self.arena.close()
        self.sock.close()
        os.close(self.arena_fd)
        return self.exited
