"""The IR machine beside Triton's own interpreter and torch eager: the same kernels on the same data and cores in one run.

    KBX_WORKER_LIB=libkbxworker.so python bench/ir_compare.py [repeats]

Prints milliseconds and ratios. Machine and torch: best of the repeats; the interpreter, slow, runs once. Where
KBX_SHARED names a folder that has prototype/nogpu, the corrected interpreter with bounds and races runs too.
One thread and the interpreter: processor time, which other work hardly disturbs. Two threads: wall time, which means
something on an idle machine only; the load is printed."""

import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "ir"))
BARE, ALL = 0, 31  # KbxIrFlags: nothing; undefined, races, unique counts, asserts, alignment
WAYS = (("1 thread", BARE, 1), ("2 threads", BARE, 2), ("all checks, 1 thread", ALL, 1), ("all checks, 2 threads", ALL, 2))


def launches():
    """name -> (kernel, grid, arguments, constexprs, what torch does instead)."""
    import cases
    import torch

    torch.manual_seed(0)
    n = 1 << 20
    x, y, z = torch.randn(n), torch.randn(n), torch.zeros(n)
    rows, out = torch.randn(4096, 1024), torch.zeros(4096, 1024)
    a, b, c = torch.randn(512, 512).half(), torch.randn(512, 512).half(), torch.zeros(512, 512).half()
    tiles = dict(BM=64, BN=64, BK=32)
    return {
        "add 2^20": (cases.k_add, (1024,), (x, y, z, n), dict(B=1024), lambda: torch.add(x, y, out=z)),
        "softmax 4096x1024": (
            cases.k_softmax, (4096,), (rows, out, 1024), dict(B=1024), lambda: torch.softmax(rows, 1, out=out)),
        "matmul 512^3 f16": (
            cases.k_matmul, (8, 8), (a, b, c, 512, 512, 512), tiles, lambda: torch.matmul(a, b, out=c)),
    }  # fmt: skip


def best(call, repeats, threads=1):
    clock = time.process_time if threads == 1 else time.perf_counter
    times = []
    for _ in range(repeats):
        start = clock()
        call()
        times.append(clock() - start)
    return 1e3 * min(times)


def interpreter(kind):
    """Runs in a process of its own: TRITON_INTERPRET counts when triton is imported. Prints {name: ms}."""
    if kind == "corrected":
        sys.path.insert(0, os.path.join(os.environ["KBX_SHARED"], "prototype", "nogpu"))
        import interp_fixes

        interp_fixes.install(bounds=True, races=True)
    times = {}
    for name, (kernel, grid, args, constexprs, _) in launches().items():
        try:
            times[name] = best(lambda: kernel[grid](*args, **constexprs), 1)
        except Exception as error:  # its own defects are not ours to hide
            times[name] = "%s: %s" % (type(error).__name__, str(error)[:80])
    print(json.dumps(times))


def interpreted(kind):
    run = subprocess.run(
        [sys.executable, "-B", __file__, "--interpreter", kind],
        env=dict(os.environ, TRITON_INTERPRET="1"), capture_output=True, text=True,
    )  # fmt: skip
    lines = run.stdout.strip().splitlines()
    return json.loads(lines[-1]) if lines and run.returncode == 0 else {"error": run.stderr.strip()[-200:]}


def main():
    import front
    import machine
    import torch

    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    kinds = ["as it is"]
    if os.path.isdir(os.path.join(os.environ.get("KBX_SHARED", "/nonexistent"), "prototype", "nogpu")):
        kinds.append("corrected")
    slow = {kind: interpreted(kind) for kind in kinds}
    front.install()
    m = machine.Machine()
    print("load %.1f on %d cores; milliseconds" % (os.getloadavg()[0], os.cpu_count()))
    for name, (kernel, grid, args, constexprs, eager) in launches().items():
        text, values = front.lower(kernel, args, constexprs)
        torch.set_num_threads(2)
        print(name)
        times = {}
        for title, flags, threads in WAYS:
            times[title] = best(lambda: m.launch(text, grid, values, flags, threads), repeats, threads)
        for threads in (1, 2):
            torch.set_num_threads(threads)
            eager()
            times["torch eager, %d thread%s" % (threads, "s" * (threads > 1))] = best(eager, repeats, threads)
        bare = times["1 thread"]
        for title, ms in times.items():
            print("  %-34s %10.2f   x%.2f of the machine, bare, 1 thread" % (title, ms, ms / bare))
        print("  all checks on 2 threads: x%.2f of bare on 2" % (times["all checks, 2 threads"] / times["2 threads"]))
        for kind, of in slow.items():
            ms = of.get(name, of.get("error", "did not run"))
            if isinstance(ms, str):
                print("  interpreter, %-21s %s" % (kind, ms))
                continue
            print("  interpreter, %-21s %10.0f   the machine, 1 thread: x%.0f faster bare, x%.0f with all checks" % (
                kind, ms, ms / bare, ms / times["all checks, 1 thread"]))  # fmt: skip


if __name__ == "__main__":
    if sys.argv[1:2] == ["--interpreter"]:
        interpreter(sys.argv[2])
    else:
        main()
