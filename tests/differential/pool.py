"""Candidates in forked children, a few at a time, each in a folder of its own with a time limit; what is already done
is passed over, so a run that was stopped goes on. The parent has imported torch and Triton and runs nothing."""

import json
import os
import pathlib
import shutil
import signal
import tempfile
import time
import traceback

SETTINGS = ("HOME", "TMPDIR", "TRITON_HOME")


class Job:
    """A child at work on one item. `work(item, path)` runs in it."""

    def __init__(self, work, item, path, seconds):
        self.item, self.path, self.seconds = item, path, seconds
        self.folder = tempfile.mkdtemp(prefix="kbx_diff_")
        self.deadline = time.monotonic() + seconds
        self.pid = os.fork()
        if self.pid == 0:
            self._child(work)

    def _child(self, work):
        code = 1
        try:
            os.setsid()
            output = os.open(self.folder + "/output", os.O_CREAT | os.O_WRONLY)
            for target in (1, 2):
                os.dup2(output, target)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            cache = os.environ.get("KBX_TRITON_CACHE") or self.folder + "/triton"
            os.environ.update({name: self.folder for name in SETTINGS}, TRITON_CACHE_DIR=cache)
            os.chdir(self.folder)
            signal.alarm(int(self.seconds) + 10)
            work(self.item, self.path)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)

    def finished(self):
        """Has it ended? Ends it when it is late, and notes in its file how a bad end came."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        late = time.monotonic() > self.deadline
        if pid == 0 and not late:
            return False
        if pid == 0:
            os.killpg(self.pid, signal.SIGKILL)
            _, status = os.waitpid(self.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        if code != 0:
            tail = pathlib.Path(self.folder, "output").read_bytes()[-500:].decode(errors="replace")
            row = {"end": "late" if late else "died", "code": code, "output": tail}
            with self.path.open("a") as file:
                file.write("\n" + json.dumps(row) + "\n")
        shutil.rmtree(self.folder, ignore_errors=True)
        return True


def rows_of(path):
    rows = []
    for line in path.read_text(errors="replace").splitlines() if path.exists() else []:
        try:
            rows.append(json.loads(line))
        except ValueError:
            pass  # the last line of a killed process
    return rows


def done(path):
    rows = rows_of(path)
    return bool(rows) and "end" in rows[-1]


def run(work, items, out, jobs, seconds, until=None, said=None):
    """items: [(name, item)]. Returns {name: rows}. `until`: monotonic time after which nothing new starts."""
    out = pathlib.Path(out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    paths = {name: out / (name.replace("/", "__") + ".jsonl") for name, _ in items}
    waiting = [(name, item) for name, item in items if not done(paths[name])]
    running = {}
    while waiting or running:
        while waiting and len(running) < jobs and (until is None or time.monotonic() < until):
            name, item = waiting.pop(0)
            paths[name].unlink(missing_ok=True)
            running[name] = Job(work, item, paths[name], seconds)
        if waiting and not running:
            break
        for name in [name for name, job in running.items() if job.finished()]:
            del running[name]
            if said is not None:
                said(name, rows_of(paths[name]), len(waiting) + len(running))
        time.sleep(0.01)
    return {name: rows_of(path) for name, path in paths.items()}
