"""One candidate in a child of its own (pool.py): every launch of every call, on both sides. Writes JSON lines.

Sides: cpu (the IR machine, then the interpreter), gpu (the GPU, then the IR machine), stub (gpu's flow without a GPU:
the machine on both sides).
"""

import hashlib
import importlib.util
import json
import pathlib
import sys
import time

import candidates
import torch

DIFFERENT = 1e-3
MAX_LAUNCHES_A_CALL = 40


def one_trial():
    """Autotuners try each configuration once; the first wins."""
    from triton.runtime.driver import driver

    active = driver.active

    def bench(call, *args, quantiles=None, **kwargs):
        call()
        return [1.0] * len(quantiles) if quantiles else 1.0

    type(active).get_benchmarker = lambda self: bench
    import triton.testing

    triton.testing.do_bench = lambda call, *a, **k: (
        bench(call) if not k.get("quantiles") else bench(call, quantiles=k["quantiles"])
    )


def watch_for(side, seconds):
    if side == "cpu":
        from watch_cpu import CpuWatch

        return CpuWatch(seconds=seconds, threads=2)
    from watch_gpu import GpuWatch, StubWatch

    if side == "stub":
        return StubWatch(seconds=seconds, threads=2)
    one_trial()
    return GpuWatch(seconds=seconds, threads=2)


def load(candidate):
    path = pathlib.Path("candidate.py").resolve()
    path.write_text(candidate["code"])
    spec = importlib.util.spec_from_file_location("candidate", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["candidate"] = module
    spec.loader.exec_module(module)
    return module


def short(error):
    while error.__cause__ is not None:
        error = error.__cause__
    return "%s: %s" % (type(error).__name__, " ".join(str(error).split())[:200])


class Log:
    """Rows of launches as they come, so that a killed process leaves what it had."""

    def __init__(self, path, watcher):
        self._path, self._watcher, self._done = pathlib.Path(path), watcher, 0

    def write(self, row):
        with self._path.open("a") as file:
            file.write(json.dumps(row) + "\n")

    def launches(self, case):
        for row in self._watcher.rows[self._done :]:
            text = row.pop("text", None)
            if text is not None and worst(row) > DIFFERENT:
                row["ttir"] = hashlib.sha256(text.encode()).hexdigest()[:12]
                kept = self._path.parent / (row["ttir"] + ".ttir")
                if not kept.exists():
                    kept.write_text(text)
            self.write({"launch": row, "case": case})
        self._done = len(self._watcher.rows)


def worst(row):
    found = [t for t in row.get("tensors") or [] if t]
    return max([9.0 if t["special"] else t["rel"] for t in found], default=0.0)


def run_calls(candidate, function, task, device, watcher, log):
    until = time.process_time() + watcher.seconds
    for name, make in candidates.calls(candidate, function, task, device):
        error = None
        watcher.limit = len(watcher.rows) + MAX_LAUNCHES_A_CALL
        try:
            torch.manual_seed(0)
            args, kwargs = make()
            function(*args, **kwargs)
        except Exception as caught:
            error = short(caught)
        log.launches(name)
        log.write({"call": name, "error": error})
        if time.process_time() > until:
            log.write({"stopped": "out of time after %s" % name})
            break


def work(side, seconds):
    """What a child does with a candidate: the function that pool.run() takes."""

    def run_one(candidate, path):
        task = candidates.tasks().get(candidate["name"])
        watcher = watch_for(side, seconds)
        log = Log(path, watcher)
        watcher.install()
        try:
            function = candidates.entry_of(load(candidate), candidate, task)
        except BaseException as caught:
            log.write({"end": "import", "error": short(caught)})
            return
        if function is None:
            log.write({"end": "no entry"})
            return
        run_calls(candidate, function, task, "cuda", watcher, log)
        log.write({"end": "done", "launches": len(watcher.rows)})

    return run_one
