"""The zygote: imports torch and triton once, then forks one child a job. One thread, and never a candidate's code.

PYTHON -I -B -c BOOT zygote.py --lib LIBKBXWORKER [--cache FOLDER]      (fd 3: SOCK_SEQPACKET, one JSON object a packet,
see docs/wire.md; BOOT: worker/wire.h)
"""

import os
import sys
import time

START = time.monotonic()
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # a thread pool of the zygote would be dead in its children: they would hang
os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"  # is_available() must not initialise the driver here
os.environ["CUDA_VISIBLE_DEVICES"] = ""
sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))

import importlib.machinery as machinery  # noqa: E402


class Loader(machinery.SourceFileLoader):
    """The worker's modules under names that do not tell where kbx lies: a candidate reads them on its stack."""

    def get_code(self, name):
        return compile(self.get_source(name), "kbx/%s.py" % name, "exec", dont_inherit=True)


def find_worker(path):
    if path != HERE:
        raise ImportError
    return machinery.FileFinder(path, (Loader, [".py"]))


sys.path_hooks.insert(0, find_worker)
sys.path.insert(0, HERE)

import argparse  # noqa: E402
import ctypes  # noqa: E402
import gc  # noqa: E402
import json  # noqa: E402
import select  # noqa: E402
import shutil  # noqa: E402
import signal  # noqa: E402
import socket  # noqa: E402

import scratch  # noqa: E402
import wire  # noqa: E402
from endings import kill_inner, kill_tree  # noqa: E402
from outward import disguise, forget_command, private_folder  # noqa: E402

FATAL_EXIT = 3


class Fatal(Exception):
    def __init__(self, message, hint=""):
        super().__init__(message)
        self.hint = hint


def thread_count():
    return len(os.listdir("/proc/self/task"))


def check_constants(library):
    library.kbx_wire_constants.restype = ctypes.c_size_t
    ours = wire.constants()
    theirs = (ctypes.c_uint64 * 64)()
    count = library.kbx_wire_constants(theirs, ctypes.c_size_t(64))
    if list(theirs[:count]) != ours:
        raise Fatal("the worker's python files and its library are of different builds", "reinstall kbx")


def prepare(path, cache_folder):
    """(library, jail, built, hello). Raises Fatal."""
    import compat

    problems = compat.problems()
    if problems:
        raise Fatal("; ".join(message for message, _ in problems), "; ".join(hint for _, hint in problems))
    import numpy
    import torch
    import triton

    try:
        library = ctypes.CDLL(path)
        check_constants(library)
    except (OSError, AttributeError) as error:
        raise Fatal("cannot load %s: %s" % (path, error), "build or reinstall kbx") from error
    import nvidia_libs
    import prebuilt
    import warm
    from jail import Jail

    try:
        notes = warm.warm(library)
        import card  # noqa: F401
        import child  # noqa: F401  (and all it imports)
        import compile_role  # noqa: F401
        import gpu_role  # noqa: F401
        import reference_role  # noqa: F401
        import value_role  # noqa: F401
    except Exception as error:
        raise Fatal(
            "triton %s with torch %s cannot be used: %s: %s"
            % (triton.__version__, torch.__version__, type(error).__name__, str(error)[:1000]),
            "kbx supports triton 3.2 to 3.9 with torch >= 2.6",
        ) from error
    gc.collect()  # MLIR contexts of Triton before 3.5 hold a thread pool
    if thread_count() != 1:
        raise Fatal(
            "the zygote has %d threads after its imports" % thread_count(), "set OMP_NUM_THREADS=1; report this"
        )
    built, about_built = prebuilt.load(cache_folder)
    jail = Jail(library, path, scratch.child_folder())
    permitted = jail.probe()
    hello = {
        "protocol": wire.PROTOCOL,
        "python": sys.version.split()[0],
        "torch": torch.__version__,
        "triton": triton.__version__,
        "numpy": numpy.__version__,
        "pid": os.getpid(),
        "jail": permitted,
        "notes": notes + about_built + jail.notes,
        "libraries": nvidia_libs.find(),
        "seconds": round(time.monotonic() - START, 3),
    }
    return library, jail, built, hello


class Running:
    """One forked child, until its end is reported. `error_fd` is open until the jail is entered or refused."""

    def __init__(self, ident, pid, error_fd):
        self.ident, self.pid, self.error_fd = ident, pid, error_fd
        self.data, self.status = b"", None


class Zygote:
    def __init__(self, sock, library, jail, built):
        self._sock, self._library, self._jail, self._built = sock, library, jail, built
        self._children = {}  # pid -> Running
        self._wake_read, self._wake_write = os.pipe()
        for fd in (self._wake_read, self._wake_write):
            os.set_blocking(fd, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)

    def _send(self, packet):
        data = json.dumps(packet).encode()
        self._sock.send(data[: wire.MAX_PACKET_BYTES])

    def serve(self):
        while True:
            poll = select.poll()
            for fd in [self._sock.fileno(), self._wake_read] + [
                c.error_fd for c in self._children.values() if c.error_fd >= 0
            ]:
                poll.register(fd, select.POLLIN)
            ready = {fd for fd, _ in poll.poll(1000)}
            self._read_failures(ready)
            if self._wake_read in ready:
                try:
                    os.read(self._wake_read, 4096)
                except BlockingIOError:
                    pass
            self._reap()
            if self._sock.fileno() in ready and not self._receive():
                return

    def _receive(self):
        try:
            data, fds, _, _ = socket.recv_fds(self._sock, wire.MAX_PACKET_BYTES, 4)
        except ConnectionResetError:  # closed with packets of ours unread
            return False
        if not data:
            return False
        try:
            packet = json.loads(data)
            if "fork" in packet and len(fds) in (3, 4):
                self._fork(packet["fork"], fds)
            elif "kill" in packet:
                self._kill(packet["kill"].get("id"))
        finally:
            for fd in fds:
                os.close(fd)
        return True

    def _fork(self, order, fds):
        if thread_count() != 1:
            self._send(
                {
                    "fork_failed": {
                        "id": order["id"],
                        "step": "threads",
                        "message": "the zygote has %d threads" % thread_count(),
                    }
                }
            )
            return
        read_fd, write_fd = os.pipe()
        try:
            pid = os.fork()
        except OSError as error:
            os.close(read_fd)
            os.close(write_fd)
            self._send({"fork_failed": {"id": order["id"], "step": "fork", "message": str(error)}})
            return
        if pid == 0:
            kernels_fd = fds[3] if len(fds) > 3 else -1
            become_child(self._library, self._jail, self._built, order, [*fds[:3], write_fd, kernels_fd])
        os.close(write_fd)
        os.set_blocking(read_fd, False)
        self._children[pid] = Running(order["id"], pid, read_fd)

    def _read_failures(self, ready):
        for running in self._children.values():
            if running.error_fd not in ready:
                continue
            try:
                part = os.read(running.error_fd, 4096)
            except BlockingIOError:
                continue
            if part:
                running.data += part
            else:
                self._entered(running)

    def _entered(self, running):
        """The error pipe closed: the child is inside, or said why not."""
        os.close(running.error_fd)
        running.error_fd = -1
        if running.data:
            from jail import read_failure

            step, message = read_failure(running.data)
            self._send({"fork_failed": {"id": running.ident, "step": step, "message": message}})
        else:
            self._send({"forked": {"id": running.ident, "pid": running.pid}})

    def _reap(self):
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            running = self._children.get(pid)
            if running is None:
                continue
            if running.error_fd >= 0:  # its words come before its end
                try:
                    running.data += os.read(running.error_fd, 4096)
                except BlockingIOError:
                    pass
                self._entered(running)
            del self._children[pid]
            if not running.data:
                self._send(
                    {
                        "exited": {
                            "id": running.ident,
                            "pid": pid,
                            "status": status,
                            "user_seconds": round(usage.ru_utime, 4),
                            "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 4),
                            "max_rss_bytes": usage.ru_maxrss * 1024,
                        }
                    }
                )

    def _kill(self, ident):
        for running in self._children.values():
            if running.ident == ident:
                kill_inner(running.pid) or kill_tree(running.pid)

    def close(self):
        for pid in self._children:
            kill_tree(pid)


def become_child(library, jail, built, order, fds):
    """In the forked process: into the jail, then frames. Never returns."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    disguise("kbx-%s" % order.get("role"))  # for who looks at processes
    try:
        import jail as steps
        import prebuilt

        forget_command()
        try:
            limits = order.get("limits") or {}
            flags = jail.flags if order.get("jail", True) else 0
            if order.get("role") == "gpu":
                flags |= steps.PROC_WRITES  # cuInit fails with 304 where it cannot
            request = jail.request(flags, fds, limits)
            jail.enter(request)
        except steps.JailError as error:
            steps.report_failure(fds[3], error.step, os.strerror(error.code))
            os._exit(125)
        os.close(steps.ERROR_FD)
        disguise("kbx")
        if order.get("role") == "replay":  # tapes are played in C++: no python from here on
            os._exit(library.kbx_replay_serve(steps.SOCKET_FD, steps.ARENA_FD))
        folder = private_folder(request.folder.decode())
        if order.get("role") in ("gpu", "compile"):
            prebuilt.plant(built, os.environ["TRITON_CACHE_DIR"])
        kernels_fd = steps.KERNELS_FD if fds[4] >= 0 else -1
        import child

        make = lambda load, card: make_role(library, order, load, card)  # noqa: E731
        child.main(steps.SOCKET_FD, steps.ARENA_FD, kernels_fd, folder, make)
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        os._exit(1)


def make_role(library, order, load, card):
    """`card` is the one that a `prepare` frame made ready, or None."""
    import card as cards
    import compile_role
    import gpu_role
    import ir_host
    import reference_role
    import value_role

    roles = {
        "value": value_role.ValueRole,
        "compile": compile_role.CompileRole,
        "reference": reference_role.ReferenceRole,
        "gpu": gpu_role.GpuRole,
    }
    name = load.get("role", order.get("role"))
    machine = None
    if name == "value":
        machine = ir_host.Machine(library)
    elif name == "gpu":
        machine = card or cards.Card(load)
    return roles[name](machine, load)


def own_folder():
    try:
        return scratch.make()
    except OSError as error:
        raise Fatal("cannot make a temporary folder: %s" % error, "free some space there, or make it writable") from error


def main():
    parser = argparse.ArgumentParser(description="kbx's fork server (started by kbx)")
    parser.add_argument("--lib", required=True)
    parser.add_argument("--cache", default="", help="where what is built once a machine is kept")
    options = parser.parse_args()
    libc = ctypes.CDLL(None)
    libc.prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG: end with kbx
    libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: what a child that was killed leaves behind is reaped here
    sock = socket.socket(fileno=wire.ZYGOTE_FD)
    folder = None
    try:
        folder = own_folder()
        library, jail, built, hello = prepare(os.path.abspath(options.lib), options.cache)
    except Fatal as fatal:
        sock.send(json.dumps({"fatal": {"message": str(fatal)[:8000], "hint": fatal.hint[:2000]}}).encode())
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
        return FATAL_EXIT
    gc.freeze()  # children do not touch, and so do not copy, what exists now
    sock.send(json.dumps({"hello": hello}).encode())
    zygote = Zygote(sock, library, jail, built)
    try:
        zygote.serve()
    finally:
        zygote.close()
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)  # nothing of torch or triton has to be torn down, and some of it complains


if __name__ == "__main__":
    sys.exit(main())
