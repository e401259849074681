"""The child: one candidate, one role, frames until `finish`. Runs in a process that the zygote forked; run() never
returns to the zygote's loop."""

import os
import signal
import sys
import time
import types

import errors
import kernel_pack
import wire
from card import Card
from drive import drive, made
from load import Source
from trusted import private_builtins
from values import Arena

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

_clock, _exit, _listdir, _write, _alarm = time.perf_counter, os._exit, os.listdir, os.write, signal.alarm

_HERE = os.path.dirname(os.path.abspath(__file__))
_OURS = [name[:-3] for name in os.listdir(_HERE) if name.endswith(".py") and name != "zygote.py"]


def threads():
    try:
        return len(_listdir("/proc/self/task"))
    except OSError:
        return 0


_hidden = []  # the worker's modules: still in use, no longer to be imported


def hide_worker():
    """Takes the worker's modules out of the candidate's way: no import finds them, `import errors` not either."""
    sys.path[:] = [path for path in sys.path if path != _HERE]
    sys.path_hooks[:] = [hook for hook in sys.path_hooks if hook.__name__ != "find_worker"]
    sys.path_importer_cache.pop(_HERE, None)
    _hidden.append(sys.modules["__main__"])
    sys.modules["__main__"] = types.ModuleType("__main__")
    for name in _OURS:
        module = sys.modules.pop(name, None)
        if module is not None:
            _hidden.append(module)


class Child:
    def __init__(self, socket_fd, arena_fd, kernels_fd, folder, role_of):
        """role_of(load, card) makes the role: it may raise, which is reported as `loaded` with ok false."""
        self._channel = wire.Channel(socket_fd)
        self._kernels_fd, self._cache, self._fills = kernels_fd, os.environ["TRITON_CACHE_DIR"], False
        self._card, self._alarm_left = None, 0
        self._arena_fd, self._folder, self._role_of = arena_fd, folder, role_of
        self._role = self._arena = self._source = None
        self._entries, self._threads = [], 1

    def serve(self):
        """For drive()."""
        while True:
            kind, sequence, payload = self._channel.receive()
            if kind == wire.LOAD:
                self._channel.send(wire.LOADED, sequence, (yield from self._answer(self._load(payload), payload)))
            elif kind == wire.CALL:
                reply = yield from self._answer(self._call(payload), payload)
                self._leave_kernels()  # now: a later call may not end
                self._channel.send(wire.RETURNED, sequence, reply)
            elif kind == wire.PREPARE and self._role is None:
                self._channel.send(wire.PREPARED, sequence, (yield from self._answer(self._prepare(payload), payload)))
            elif kind == wire.FINISH:
                self._channel.send(wire.BYE, sequence, {})
                return
            else:
                raise wire.WireError("unexpected frame %d" % kind)

    def _answer(self, steps, payload):
        """A fault of the worker itself is not the candidate's: it is said, and nothing is judged."""
        try:
            return (yield from steps)
        except Exception as error:
            text = "kbx's worker failed: %s: %s" % (errors.type_name(error), errors.safe_text(error, 1000))
            trace = errors.safe_text(errors.raw_trace(error), wire.MAX_TRACE_BYTES)
            return {
                "id": payload.get("id", 0),
                "ok": False,
                "error": {"kind": "not_judged", "type": "WorkerError", "message": text, "traceback": trace, "line": 0},
            }

    def _error(self, error, loading):
        return errors.describe(error, self._source.path, self._source.lines, loading)

    def _prepare(self, payload):
        """Before the candidate is there. Its clock, the alarm, stands still until `load`."""
        yield from ()
        start = _clock()
        self._alarm_left = _alarm(0)
        self._card = Card(payload)
        self._card.prepare()
        return {"ok": True, "seconds": round(_clock() - start, 6), "parts": self._card.seconds}

    def _take_kernels(self, use):
        """What an earlier child of this candidate compiled comes in before the candidate does."""
        if self._kernels_fd < 0 or use not in ("use", "fill"):
            return
        self._fills = use == "fill"
        if not self._fills:
            kernel_pack.unpack(self._kernels_fd, self._cache)
            os.close(self._kernels_fd)

    def _leave_kernels(self):
        try:
            if self._fills:
                kernel_pack.pack(self._kernels_fd, self._cache)
        except BaseException:
            pass  # the candidate broke it: then there is nothing to leave

    def _load(self, payload):
        start = _clock()
        if self._alarm_left:
            _alarm(self._alarm_left)
        self._arena = Arena(self._arena_fd, payload["out_at"], payload["out_bytes"])
        os.close(self._arena_fd)
        self._source = Source(payload["source"], self._folder)
        self._entries = payload.get("entries", [])
        self._take_kernels(payload.get("kernels"))
        self._role = self._role_of(payload, self._card)
        self._role.install()
        hide_worker()
        try:
            execute = self._source.load()
            with self._role.watch():
                _, error = yield from made(execute)
            if error is not None:
                raise error
            if self._entries:
                self._source.first_entry(self._entries)
        except BaseException as error:
            error = self._role.fatal() or error
            return {"ok": False, "seconds": round(_clock() - start, 6), "error": self._error(error, True)}
        return {"ok": True, "seconds": round(_clock() - start, 6)}

    def _call(self, payload):
        try:
            name = payload.get("entry")
            others = self._entries if not name or name in self._entries else []
            names = ([name] if name else []) + [other for other in others if other != name]
            function = self._source.first_entry(names)
        except BaseException as error:
            return {"id": payload["id"], "ok": False, "error": self._error(error, False)}
        reply, error = yield from self._role.call(function, payload, self._arena)
        reply["threads"] = threads()
        reply["ok"] = error is None
        if error is not None:
            reply["error"] = self._error(error, False)
        return reply


def main(socket_fd, arena_fd, kernels_fd, folder, role_of):
    """Serves one child and ends the process, whatever the candidate registered to run at exit."""
    status = 1
    try:
        drive(Child(socket_fd, arena_fd, kernels_fd, folder, role_of).serve())
        status = 0
    except wire.WireError:
        status = 2
    except BaseException as error:
        _write(2, errors.raw_trace(error).encode("utf-8", "replace"))
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BaseException:
                pass
        _exit(status)
