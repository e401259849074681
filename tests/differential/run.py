"""Generated kernels against their reference values: on the IR machine, in Triton's interpreter, on a GPU.

    python run.py --kernels 2000 --seed 1        [--jobs 2] [--family NAME] [--no-interpreter] [--show]
    python run.py --only SEED --show             one case in full
Exit code 1 when the machine differs from the reference, finds a fault in a kernel that has none, or the interpreter
differs for a reason that is not in interpreter_faults.py. Seeds are printed with what went wrong.
"""

import argparse
import collections
import json
import os
import sys
import tempfile
import time

import generate
import interpreter_faults
import numpy as np
import torch
import worker
from watch_cpu import CpuWatch, StubDriver, compat


class Generated(CpuWatch):
    """Launches on the machine over the arguments' own memory, with all checks; nothing is compared here."""

    def __init__(self, threads=1):
        super().__init__(threads=threads)
        self.report = self.refused = self.text = self.src = self.values = None

    def run(self, kernel, grid, values):
        ours = worker.Kernel(kernel.src, kernel.asm["ttir"])
        self.text, self.src, self.values = ours.text, kernel.src, values
        memory = worker.Memory(values)
        own = {address: worker.raw(storage) for address, (storage, _, _) in memory.storages.items()}
        self.report, self.refused = None, None
        try:
            self.report = ours.launch(grid, values, own, worker.ALL_CHECKS, self.threads)
        except worker.ir_host.Unsupported as error:
            self.refused = str(error)

    def install(self):
        compat.set_active_driver(StubDriver(90))
        compat.patch_compile(self._compile)


def cause(error):
    while error.__cause__ is not None:
        error = error.__cause__
    return "%s: %s" % (type(error).__name__, " ".join(str(error).split())[-300:])


class Runner:
    def __init__(self, folder, use_interpreter=True):
        self.folder, self.use_interpreter = folder, use_interpreter
        self.machine = Generated()
        self.machine.install()

    def one(self, seed, family=None):
        """{seed, family, machine: [...], interpreter: [...] or reason}"""
        case = generate.generate(seed, family)
        row = {"seed": seed, "family": case.family, "note": case.note, "machine": [], "interpreter": []}
        function = case.function(self.folder, seed)
        args = case.moved("cpu")
        self.machine.threads = 1 + seed % 2
        try:
            function[case.grid](*args.values(), **case.constexprs)
        except Exception as error:
            row["broken"] = cause(error)
            return row, case
        report = self.machine.report
        if self.machine.refused:
            row["refused"] = self.machine.refused
            return row, case
        row["machine"] = ["%s %s" % wrong for wrong in case.wrong(args)]
        for found in report.findings[: report.finding_count]:
            row["machine"].append("false finding: %s %s" % (worker.ir_host.KINDS[found.kind][2], found.where.decode()))
        if self.use_interpreter:
            row["interpreter"] = self.interpret(function, case)
        return row, case

    def interpret(self, function, case):
        import interpreter

        args = case.moved("cpu")
        try:
            interpreter.run(function, case.grid, {**args, **case.constexprs})
        except Exception as error:
            return [interpreter_faults.explain(cause(error), case)]
        return [interpreter_faults.explain("%s %s" % wrong, case) for wrong in case.wrong(args)]


def share(options, index, pipe):
    """A child's part of the seeds: those equal to `index` modulo the number of jobs."""
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder, os.fdopen(pipe, "w") as out, np.errstate(all="ignore"):
        os.environ["TRITON_CACHE_DIR"] = folder
        runner = Runner(folder, not options.no_interpreter)
        for seed in range(options.seed + index, options.seed + options.kernels, options.jobs):
            if time.time() > options.until:
                break
            row, _ = runner.one(seed, options.family)
            out.write(json.dumps(row) + "\n")
            out.flush()


def show(options):
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(folder, not options.no_interpreter)
        row, case = runner.one(options.only, options.family)
        print(case.source)
        print(
            {n: (v.dtype, tuple(v.shape)) if isinstance(v, torch.Tensor) else v for n, v in case.args.items()},
            case.constexprs,
            case.grid,
        )
        print(json.dumps(row, indent=1))
        if options.show and runner.machine.text:
            print(runner.machine.text)
    return bool(row["machine"])


def rows_of(options):
    children = []
    for index in range(options.jobs):
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(read)
            code = 1
            try:
                share(options, index, write)
                code = 0
            finally:
                os._exit(code)
        os.close(write)
        children.append((pid, os.fdopen(read)))
    for pid, stream in children:
        for line in stream:
            yield json.loads(line)
        if os.waitpid(pid, 0)[1] != 0:
            yield {"seed": -1, "family": "child", "machine": ["a child died"], "interpreter": []}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernels", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--family", choices=sorted(generate.FAMILIES))
    parser.add_argument("--only", type=int)
    parser.add_argument("--minutes", type=float, default=1e6, help="stop after this time, whatever --kernels says")
    parser.add_argument("--no-interpreter", action="store_true")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if options.only is not None:
        return show(options)
    options.until = time.time() + 60 * options.minutes
    start, families, faults, bad = time.time(), collections.Counter(), collections.Counter(), 0
    for row in rows_of(options):
        families[row["family"]] += 1
        unexplained = [text for text in row["interpreter"] if not text.startswith("known: ")]
        faults.update(["machine, " + row["refused"]] if row.get("refused") else [])
        faults.update("interpreter, " + text for text in row["interpreter"] if text.startswith("known: "))
        if row.get("broken") or row["machine"] or unexplained:
            bad += 1
            told = {k: v for k, v in row.items() if v and k in ("broken", "machine", "interpreter", "note")}
            print("seed %d %s: %s" % (row["seed"], row["family"], json.dumps(told)[:700]), flush=True)
    print(
        "%d kernels, seeds %d to %d, %.0f s: %d unexplained"
        % (sum(families.values()), options.seed, options.seed + options.kernels - 1, time.time() - start, bad)
    )
    print("families: " + ", ".join("%s %d" % item for item in sorted(families.items())))
    for text, count in faults.most_common():
        print("%s: %d" % (text, count))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
