"""The jail from python: what this machine permits, and the steps of a child into it (worker/jail.h does them)."""

import ctypes as C
import os
import site
import struct
import sys
import sysconfig

USER, PID, NET, IPC, MOUNT, UTS, READONLY, PROC, DROP_UID, HIDE, PROC_WRITES, CALLS = (1 << k for k in range(12))
ALL = (1 << 12) - 1 - PROC_WRITES
NAMES = {"user": USER, "pid": PID, "net": NET, "ipc": IPC, "mount": MOUNT, "uts": UTS, "readonly": READONLY, "calls": CALLS}
# What to give up when a step is refused.
GIVE_UP = {
    "drop uid": DROP_UID,
    "user namespace": USER,
    "id maps": USER,
    "pid namespace": PID | PROC,
    "net namespace": NET,
    "ipc namespace": IPC,
    "mount namespace": MOUNT | READONLY | PROC | HIDE,
    "uts namespace": UTS,
    "hostname": UTS,
    "private mounts": MOUNT | READONLY | PROC | HIDE,
    "readonly": READONLY,
    "hide": HIDE,
    "tmpfs": MOUNT | READONLY | PROC | HIDE,
    "mount /proc": PROC,
    "system calls": CALLS,
}
# What a child sees of the root folder; all else (homes, data, other runs, this suite) is hidden, whatever its name.
SHOWN = ("bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr", "etc", "var", "dev", "proc", "sys", "tmp", "nix", "gnu")
HIDDEN = ("/var/tmp", os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "suite"))
SOCKET_FD, ARENA_FD, ERROR_FD, KERNELS_FD = 3, 4, 5, 6


class Request(C.Structure):
    _fields_ = [
        ("struct_size", C.c_uint32),
        ("flags", C.c_uint32),
        ("socket_fd", C.c_int32),
        ("arena_fd", C.c_int32),
        ("output_fd", C.c_int32),
        ("error_fd", C.c_int32),
        ("kernels_fd", C.c_int32),
        ("reserved", C.c_int32),
        ("address_bytes", C.c_uint64),
        ("cpu_seconds", C.c_uint64),
        ("wall_seconds", C.c_uint64),
        ("processes", C.c_uint64),
        ("file_bytes", C.c_uint64),
        ("tmpfs_bytes", C.c_uint64),
        ("folder", C.c_char_p),
        ("hide", C.c_char_p),
        ("keep", C.c_char_p),
    ]


class JailError(Exception):
    def __init__(self, step, code):
        super().__init__("%s: %s" % (step, os.strerror(code)))
        self.step, self.code = step, code


def needed_paths(library):
    """Folders without which the child cannot import what it has not imported yet."""
    import numpy
    import torch
    import triton

    paths = [
        sys.prefix,
        sys.base_prefix,
        sys.exec_prefix,
        os.path.dirname(library),
        os.path.dirname(os.path.abspath(__file__)),
        sysconfig.get_paths()["stdlib"],
        *site.getsitepackages(),
        *sys.path,
    ]
    paths += [os.path.dirname(module.__file__) for module in (torch, triton, numpy)]
    return [os.path.realpath(path) for path in paths if path and os.path.exists(path)]


def hidden_folders():
    """Folders that a child must not see. Links are left out: what they lead to is hidden or shown by its own name."""
    top = [os.path.join("/", name) for name in sorted(os.listdir("/")) if name not in SHOWN]
    return [path for path in [*top, *HIDDEN] if os.path.isdir(path) and not os.path.islink(path)]


def _inside(path, folder):
    return path == folder or path.startswith(folder.rstrip("/") + "/")


class Jail:
    """`folder` is the mount point of the private tmpfs: /tmp itself. Where something needed lies in /tmp, /tmp is hidden
    like any other folder, and `folder` is one below it."""

    def __init__(self, library, path, spare_folder):
        self._lib = library
        library.kbx_jail_sizeof.restype = C.c_uint64
        library.kbx_jail_step_text.restype = C.c_char_p
        if library.kbx_jail_sizeof() != C.sizeof(Request):
            raise JailError("binding", 22)
        self._needed = needed_paths(path)
        self.folder = "/tmp" if not self._needs("/tmp") else spare_folder
        self.spare = spare_folder
        hide = [folder for folder in hidden_folders() if folder not in self._needed]
        if self.folder != "/tmp" and os.path.realpath("/tmp") not in self._needed:
            hide.append(os.path.realpath("/tmp"))
        self.hide = ":".join(hide)
        shown = [*self._needed, os.path.realpath(spare_folder)]
        self.keep = ":".join(self._outermost(path for path in shown if any(_inside(path, folder) for folder in hide)))
        self.flags, self.notes = 0, []

    def _needs(self, folder):
        return any(_inside(path, os.path.realpath(folder)) for path in self._needed)

    @staticmethod
    def _outermost(paths):
        """The paths that lie in no other one of them."""
        found = []
        for path in sorted(set(paths), key=len):
            if not any(_inside(path, other) for other in found):
                found.append(path)
        return found

    def request(self, flags, fds, limits):
        socket_fd, arena_fd, output_fd, error_fd, kernels_fd = fds
        memory = int(limits.get("memory_bytes", 0))
        if memory:
            with open("/proc/self/statm") as file:  # the limit is for what the child adds to the zygote's image
                memory += int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE") + arena_size(arena_fd)
        folder = self.folder if flags & MOUNT else self.spare
        return Request(
            C.sizeof(Request),
            flags,
            socket_fd,
            arena_fd,
            output_fd,
            error_fd,
            kernels_fd,
            0,
            memory,
            int(limits.get("cpu_seconds", 0)),
            int(limits.get("wall_seconds", 0)),
            int(limits.get("processes", 0)),
            int(limits.get("file_bytes", 0)),
            int(limits.get("file_bytes", 0)) or 256 << 20,
            folder.encode(),
            self.hide.encode(),
            self.keep.encode(),
        )

    def _call(self, function, request):
        step = C.c_int32(0)
        code = function(C.byref(request), C.byref(step))
        if code:
            raise JailError(self._lib.kbx_jail_step_text(step).decode(), code)

    def enter(self, request):
        """In a forked child. Returns in the process that will run the candidate; with a PID namespace the caller stays
        behind in kbx_jail_repeat. Raises JailError."""
        self._call(self._lib.kbx_jail_outer, request)
        if request.flags & PID:
            pid = os.fork()
            if pid:
                self._lib.kbx_jail_repeat(pid)
        self._call(self._lib.kbx_jail_inner, request)

    def probe(self):
        """Finds the largest jail this machine permits: enters it in forked children, giving up what is refused."""
        flags = ALL if os.getuid() == 0 else ALL & ~DROP_UID
        for _ in range(len(GIVE_UP) + 1):
            answer = self._try(flags)
            if answer == "":
                break
            step, _, reason = answer.partition("\t")
            if not flags & GIVE_UP.get(step, 0):
                self.notes.append("no jail: %s: %s" % (step, reason))
                flags = 0
                break
            self.notes.append("jail without %s: %s" % (step, reason))
            flags &= ~GIVE_UP[step]
        self.flags = flags
        return {name: bool(flags & flag) for name, flag in NAMES.items()}

    def _try(self, flags):
        """ "" if a child got in and can still import, else "step<TAB>reason"."""
        read_fd, write_fd = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                null = os.open("/dev/null", os.O_RDWR)
                self.enter(
                    self.request(flags, (null, null, null, write_fd, -1), {"file_bytes": 1 << 20, "wall_seconds": 20})
                )
                unreadable = [
                    path
                    for path in self._needed
                    if os.path.isabs(path) and not os.access(path, os.R_OK) and os.path.dirname(path) != path
                ]
                answer = (
                    "drop uid\t%s is not readable without root" % unreadable[0]
                    if unreadable and flags & DROP_UID
                    else ""
                )
                os.write(ERROR_FD, answer.encode() or b"\0")
            except JailError as error:
                os.write(error_place(error.step, write_fd), ("%s\t%s" % (error.step, os.strerror(error.code))).encode())
            finally:
                os._exit(0)
        os.close(write_fd)
        data = b""
        while True:
            part = os.read(read_fd, 4096)
            if not part:
                break
            data += part
        os.close(read_fd)
        os.waitpid(pid, 0)
        return data.decode(errors="replace").strip("\0") if data else "unknown\tthe probe died"


def arena_size(fd):
    try:
        return os.fstat(fd).st_size
    except OSError:
        return 0


def error_place(step, original):
    """Where the error pipe is after a failure: only a failure to move the descriptors leaves it where it was."""
    return original if step in ("descriptors", "binding") else ERROR_FD


def report_failure(error_fd, step, message):
    """Tells the zygote through the error pipe."""
    os.write(error_place(step, error_fd), struct.pack("<I", len(step)) + step.encode() + message.encode()[:2000])


def read_failure(data):
    (size,) = struct.unpack_from("<I", data)
    return data[4 : 4 + size].decode(errors="replace"), data[4 + size :].decode(errors="replace")
