"""On a machine with two GPUs or more: how many candidates a minute two cards judge and time, against one.

    python tests/gpu/cards.py KBX [--copies N] [kbx eval options]      KBX: build/bin/kbx, or bin/kbx of an unpacked release

Witnesses that are quick to compile, N times each under different names, so that nothing is kept from one to the next.
One card and both take turns. Prints for every turn the candidates a minute of the whole run, and of the time between the
first tenth of the results and the last one: a short run is half start, a long one is not; and the ratios of the medians
(design: 1.9 and more of the latter). Then where the leases went, in medians. Exit code 1 when a candidate is not correct
and timed, 77 where there are not two cards.
"""

import argparse
import contextlib
import json
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

LIGHT = ("sqrt_exp", "gelu", "gelu_bf16", "exp_sqrt", "erfc_sqrt", "fused_cos_signbit", "fused_sum_std", "avg_pool1d", "rand", "matrix_vector_dot",
         "layernorm_w8a8", "index_fill_")  # fmt: skip


def cards():
    """How many GPUs there are."""
    return len(list(pathlib.Path("/dev").glob("nvidia[0-9]*")))


def candidates(suite, copies):
    """One line of input a candidate; the comment makes each a source of its own."""
    rows = []
    for copy in range(copies):
        for task in LIGHT:
            text = next(suite.glob("*/%s/witness.py" % task)).read_text()
            rows.append({"file": task, "sample": copy, "predict": "```python\n%s\n# copy %d\n```" % (text, copy)})
    return rows


def judge(kbx, rows, device, options):
    """Candidates a minute of all and of the middle, seconds of the leases' parts, and those that are not correct with a time."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "candidates.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        words = ["--run", folder + "/run", "--device", device, "--second-look", "off", *options]
        begun, ends = time.monotonic(), []
        with subprocess.Popen([kbx, "eval", file, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            for line in process.stderr:  # a line a result, as it comes
                if "correct" in line[:12]:
                    ends.append(time.monotonic() - begun)
        seconds = time.monotonic() - begun
        with contextlib.closing(sqlite3.connect("file:%s/run/run.db?mode=ro" % folder, uri=True)) as base:
            records = [json.loads(record) for (record,) in base.execute("select record from result")]
    bad = [r["candidate"] for r in records if r["verdict"] != "correct" or not (r.get("timing") or {}).get("speedup")]
    bad += ["lost"] * (len(rows) - len(records))
    first = len(ends) // 10
    middle = 60 * (len(ends) - 1 - first) / (ends[-1] - ends[first]) if len(ends) > 10 else 0
    return 60 * len(records) / seconds, middle, [r["stage_seconds"] for r in records], bad


def main():
    if cards() < 2:
        print("skipped: this machine has not two NVIDIA GPUs")
        return 77
    parser = argparse.ArgumentParser()
    parser.add_argument("kbx", type=pathlib.Path)
    parser.add_argument("--copies", type=int, default=5)
    parser.add_argument("--turns", type=int, default=2)
    args, options = parser.parse_known_args()
    kbx = args.kbx.resolve()
    rows = candidates(kbx.parent.parent / "share" / "kbx" / "suite", args.copies)
    judge(kbx, rows[:2], "cuda:0,1", options)  # fills the caches of compiled device code on both
    rates, wrong = {"cuda:0": [], "cuda:0,1": []}, []
    for _ in range(args.turns):
        for device, found in rates.items():
            whole, middle, stages, bad = judge(kbx, rows, device, options)
            found.append((whole, middle))
            wrong += bad
            print("%-9s %6.1f candidates a minute, %6.1f behind the start%s" % (device, whole, middle, "  not as expected: %s" % bad if bad else ""), flush=True)
            parts = sorted({name for s in stages for name in s})
            print("          seconds, median: " + ", ".join("%s %.2f" % (name, statistics.median(s.get(name, 0) for s in stages)) for name in parts), flush=True)
    for k, what in enumerate(("the whole run", "behind the start")):
        one, two = (statistics.median(r[k] for r in found) for found in rates.values())
        print("two cards / one, %s: %.2f" % (what, two / one))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
