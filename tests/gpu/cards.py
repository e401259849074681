"""On a machine with two GPUs or more: how many candidates a minute two cards judge and time, against one.

    python tests/gpu/cards.py KBX [--copies N] [kbx eval options]      KBX: build/bin/kbx, or bin/kbx of an unpacked release

Witnesses that are quick to compile, N times each under different names, so that nothing is kept from one to the next.
One card and both take turns; prints the candidates a minute of every turn and the ratio of the medians (design: 1.9 and
more). Exit code 1 when a candidate is not correct and timed, 77 where there are not two cards.
"""

import argparse
import json
import pathlib
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
    """Candidates a minute, and those that are not correct with a time."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "candidates.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        words = ["--run", folder + "/run", "--json", "--quiet", "--device", device, "--second-look", "off", *options]
        begun = time.monotonic()
        done = subprocess.run([kbx, "eval", file, *words], stdout=subprocess.PIPE, text=True)
        seconds = time.monotonic() - begun
    lines = [json.loads(line) for line in done.stdout.splitlines()][:-1]
    bad = [line["candidate"] for line in lines if line["verdict"] != "correct" or not line.get("speedup")]
    return 60 * len(lines) / seconds, bad + ["lost"] * (len(rows) - len(lines))


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
            rate, bad = judge(kbx, rows, device, options)
            found.append(rate)
            wrong += bad
            print("%-9s %6.1f candidates a minute%s" % (device, rate, "  not as expected: %s" % bad if bad else ""), flush=True)
    one, two = map(statistics.median, rates.values())
    print("two cards / one: %.2f" % (two / one))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
