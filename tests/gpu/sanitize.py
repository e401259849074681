"""On a machine with a GPU and the CUDA toolkit: what `kbx check --sanitize` and `kbx profile` find.

    python tests/gpu/sanitize.py KBX [kbx check options]        KBX: build/bin/kbx, or bin/kbx of an unpacked release
A right kernel with a second one beside it that does one thing wrong: each must be found by its tool, in its line.
Prints "N passed, M failed". Exit code 77 where there is no GPU or no compute-sanitizer.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# Each stands beside a right kernel, so that the values are right; the line that is wrong ends with "# here".
OUT_OF_BOUNDS = """
@triton.jit
def beside_kernel(scratch, sink, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.store(sink + o, o)
    tl.store(scratch + 8 * 1024 * 1024 + o, o)  # here
"""
RACE = """
@triton.jit
def beside_kernel(scratch, sink, B: tl.constexpr):
    o = tl.arange(0, B)
    total = tl.sum(o, 0)
    v = tl.inline_asm_elementwise("{ .reg .u32 a; .reg .u32 t; mov.u32 a, global_smem; st.volatile.shared.u32 [a], $1; ld.volatile.shared.u32 t, [a]; mov.u32 $0, t; }", "=r,r", [o], dtype=tl.int32, is_pure=False, pack=1)  # here
    tl.store(sink + o, v + total)
"""
UNINITIALISED = """
@triton.jit
def beside_kernel(scratch, sink, B: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.load(scratch + o)  # here
    tl.store(sink + o, v)
"""
LAUNCH = """

def exp_sqrt(input, out=None):
    result = right(input, out)
    scratch = torch.empty(256, dtype=torch.int32, device=input.device)
    sink = torch.empty(256, dtype=torch.int32, device=input.device)
    beside_kernel[(1,)](scratch, sink, B=256)
    return result
"""
CASES = [
    ("out of bounds", OUT_OF_BOUNDS, "sanitizer_memcheck", "reject", "illegal_memory_access"),
    ("race through shared memory", RACE, "sanitizer_racecheck", "reject", "data_race"),
    ("uninitialised read", UNINITIALISED, "sanitizer_initcheck", "warn", None),
]
results = []


def check(name, condition, shown=""):
    results.append(bool(condition))
    print("ok  " if condition else "FAIL", name, "" if condition else str(shown)[:1500], flush=True)


def run(kbx, verb, source, options):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "exp_sqrt.py"
        path.write_text(source)
        command = [kbx, verb, path, "--task", "exp_sqrt", "--device", "cuda", "--json", *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        return json.loads(done.stdout.splitlines()[0]), done
    except (IndexError, ValueError):
        return None, done


def found(record):
    return [f for f in record["findings"] if f["rule"].startswith("sanitizer_")]


def wrong_kernels(kbx, right, options):
    for name, kernel, rule, severity, verdict in CASES:
        source = right.replace("def exp_sqrt(", "def right(") + "\n" + kernel + LAUNCH
        line = next(k for k, text in enumerate(source.splitlines(), 1) if text.endswith("# here"))
        record, done = run(kbx, "check", source, ["--sanitize", *options])
        if record is None:
            check(name, False, done.stderr)
            continue
        mine = [f for f in found(record) if f["rule"] == rule]
        shown = {"found": found(record), "flags": record["flags"], "verdict": record["verdict"]}
        check("%s: found by its tool" % name, mine, shown)
        check("%s: in its line" % name, any(f.get("line") == line for f in mine), (line, shown))
        check("%s: %s" % (name, severity), mine and mine[0]["severity"] == severity, shown)
        if verdict:
            check("%s: verdict %s" % (name, verdict), record["verdict"] == verdict, shown)


def profile(kbx, right, options):
    report, done = run(kbx, "profile", right, options)
    if "ERR_NVGPUCTRPERM" in done.stderr:
        print("skipped: the driver keeps its counters; kbx said:", done.stderr.strip()[:300])
        check("a refusal of the driver says what to do", "RestrictProfilingToAdminUsers" in done.stderr, done.stderr)
        return
    check("profile: a kernel was counted", report and report["kernels"], done.stderr)
    if report and report["kernels"]:
        print(json.dumps(report))
        check("profile: DRAM bytes within half and twice the formula", report["ratio"] and 0.5 < report["ratio"] < 2, report)
        check("profile: registers and occupancy", report["kernels"][0]["registers"] and report["kernels"][0]["occupancy_percent"], report)


def main():
    if not os.path.exists("/dev/nvidiactl"):
        print("skipped: this machine has no NVIDIA GPU")
        return 77
    usual = "/usr/local/cuda/bin"
    if not shutil.which("compute-sanitizer", path=os.environ.get("PATH", "") + ":" + usual):
        print("skipped: there is no compute-sanitizer on PATH or in", usual)
        return 77
    kbx, options = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    suite = kbx.parent.parent / "share" / "kbx" / "suite"
    right = next(suite.glob("*/exp_sqrt/witness.py")).read_text()
    record, done = run(kbx, "check", right, ["--sanitize", "--timing", "off", *options])
    check("a right kernel is sanitized", record and "sanitized" in record["flags"], record and record["flags"] or done.stderr)
    check("and nothing is found", record and not found(record) and record["verdict"] == "correct", record and (record["verdict"], record["explanation"], found(record)))
    wrong_kernels(kbx, right, ["--timing", "off", *options])
    if shutil.which("ncu", path=os.environ.get("PATH", "") + ":" + usual):
        profile(kbx, right, options)
    else:
        print("skipped: there is no ncu")
    print("%d passed, %d failed" % (sum(results), len(results) - sum(results)))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
