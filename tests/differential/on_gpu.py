"""The IR machine against a GPU: every launch of every witness and public candidate, and generated kernels.

    python on_gpu.py --out DIR [--jobs 12] [--minutes 8] [--kernels 500] [--side gpu|stub] [--match TEXT]

Needs torch, Triton and a GPU; the library and the worker's Python files (KBX_WORKER_LIB, KBX_WORKER_PYTHON), the suite
(KBX_SUITE) and the public candidates (KBX_SHARED, optional). No network, no build. Run again on the same DIR it goes on
where it was. Writes DIR/table.txt, DIR/rows.jsonl (a line for each launch that differs), DIR/*.ttir.
"""

import argparse
import collections
import functools
import json
import os
import pathlib
import sys
import time

import candidates
import generated_gpu
import one
import pool
import verdict


def items_of(options):
    """Witnesses first, generated kernels among them, public candidates last."""
    known = [(c["id"], c) for c in candidates.listed() if options.match in c["id"]]
    witnesses = [item for item in known if item[0].startswith("witness/")]
    rest = [item for item in known if not item[0].startswith("witness/")]
    share = 25
    made = [("generated/%05d" % s, (s, share)) for s in range(options.seed, options.seed + options.kernels, share)]
    return witnesses + made + rest


def work_of(options):
    candidate = one.work(options.side, options.seconds)
    generated = generated_gpu.work(functools.partial(one.watch_for, options.side, options.seconds))

    def work(item, path):
        return generated(item, path) if isinstance(item, tuple) else candidate(item, path)

    return work


class Table:
    """Counts of tensors by group and cause, and what is worth a line of its own."""

    def __init__(self):
        self.tensors, self.launches = collections.Counter(), collections.Counter()
        self.skipped, self.ends, self.rows = collections.Counter(), collections.Counter(), []
        self.generated = collections.Counter()

    def add(self, name, rows):
        group = name.split("/")[0]
        self.ends[group, rows[-1].get("end", "cut off") if rows else "not run"] += 1
        for row in rows:
            if "launch" in row:
                self._launch(name, group, row)
            elif "generated" in row:
                self._generated(row)
            elif row.get("error") and "stopped" not in row:
                self.skipped[group, "call failed"] += 1

    def _launch(self, name, group, row):
        launch = row["launch"]
        self.launches[group] += 1
        if "skipped" in launch:
            self.skipped[group, launch["skipped"][:90]] += 1
            return
        worst = set()
        for why, tensor in verdict.causes(launch):
            self.tensors[group, why] += 1
            if tensor:
                worst.add(why)
        if worst:
            self.rows.append({"candidate": name, "case": row["case"], "causes": sorted(worst), **launch})

    def _generated(self, row):
        if row.get("broken"):
            self.generated["did not run: " + row["broken"][:80]] += 1
        elif row["gpu"]:
            self.generated["GPU differs from the reference"] += 1
        elif row["skipped"]:
            self.generated["not on the machine: " + row["skipped"][0][:80]] += 1
        else:
            self.generated[
                "GPU within the reference's bounds, %s"
                % ("machine equal" if not row["machine_against_gpu"] else "machine differs")
            ] += 1
        if row.get("broken") or row.get("gpu") or row["machine_against_gpu"]:
            self.rows.append(row)

    def text(self):
        lines = ["tensors after launches, GPU against IR machine"]
        for (group, why), count in sorted(self.tensors.items()):
            lines.append("%8d  %-10s %s" % (count, group, why))
        lines.append("launches: " + ", ".join("%s %d" % item for item in sorted(self.launches.items())))
        lines.append("candidates: " + ", ".join("%s %s %d" % (*key, n) for key, n in sorted(self.ends.items())))
        lines.append("not compared:")
        lines += ["%8d  %-10s %s" % (n, *key) for key, n in self.skipped.most_common(40)]
        lines.append("generated kernels:")
        lines += ["%8d  %s" % (n, why) for why, n in self.generated.most_common(40)]
        unexplained = sum(n for (_, why), n in self.tensors.items() if why.startswith("unexplained"))
        lines.append("unexplained tensors: %d" % unexplained)
        return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--jobs", type=int, default=12)
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--seconds", type=float, default=60, help="processor time of one candidate")
    parser.add_argument("--kernels", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--side", default="gpu", choices=("gpu", "stub"))
    parser.add_argument("--match", default="")
    options = parser.parse_args()
    start = time.monotonic()
    parts = options.out / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("KBX_TRITON_CACHE", str((options.out / "cache").resolve()))
    results = pool.run(work_of(options), items_of(options), parts, options.jobs, 180, start + options.minutes * 60)
    table = Table()
    for name, rows in results.items():
        table.add(name, rows)
    (options.out / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in table.rows))
    (options.out / "table.txt").write_text(table.text())
    print(table.text())
    print("%.0f s" % (time.monotonic() - start))


if __name__ == "__main__":
    sys.exit(main())
