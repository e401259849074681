"""Triton's corrected interpreter against the IR machine: every launch of every witness and of every public candidate.

    python corpus.py --out DIR [--jobs 1] [--seconds 60] [--match TEXT]
Each launch gets the same memory on both sides; all argument tensors are compared afterwards. Prints the table of
docs/ir-agreement.md: tensors by size of the difference, the larger ones by cause, times. Run again it goes on.
"""

import argparse
import collections
import json
import pathlib
import statistics
import sys

import candidates
import one
import pool
import verdict

LARGE = 1e-3


def size_of(t):
    if t is None:
        return "bit-equal"
    if t["special"]:
        return "NaN or Inf on one side"
    return next(
        (name for bound, name in ((1e-6, "<= 1e-6"), (1e-5, "<= 1e-5"), (1e-3, "<= 1e-3")) if t["rel"] <= bound),
        "> 1e-3",
    )


class Summary:
    def __init__(self):
        self.sizes, self.causes, self.skipped = collections.Counter(), collections.Counter(), collections.Counter()
        self.launches, self.with_large, self.examples, self.times = 0, 0, {}, []
        self.ran = collections.Counter()

    def add(self, name, rows):
        launches = [row for row in rows if "launch" in row]
        self.ran[name.split("/")[0], bool(launches)] += 1
        for row in launches:
            launch = row["launch"]
            self.launches += 1
            if "skipped" in launch:
                self.skipped[launch["skipped"][:100]] += 1
                continue
            self._tensors(name, row["case"], launch)
            if "interpreter_seconds" in launch and launch["machine_seconds"] > 0:
                self.times.append([launch[k] for k in ("interpreter_seconds", "machine_seconds", "checked_seconds")])

    def _tensors(self, name, case, launch):
        large = False
        for why, t in verdict.causes(launch):
            self.sizes[size_of(t)] += 1
            if t and (t["special"] or t["rel"] > LARGE):
                large = True
                self.causes[why] += 1
                self.examples.setdefault(why, []).append("%s %s %s" % (name, case, launch["kernel"]))
        self.with_large += large

    def text(self):
        lines = ["%d launches, %d with a tensor that differs by more than %g" % (self.launches, self.with_large, LARGE)]
        lines += [
            "candidates: "
            + ", ".join(
                "%s %s %d" % (g, "launch" if yes else "launch nothing", n) for (g, yes), n in sorted(self.ran.items())
            )
        ]
        lines += ["tensors, largest relative difference:"] + [
            "%8d  %s" % (n, size) for size, n in self.sizes.most_common()
        ]
        lines += ["larger ones by cause:"]
        for why, count in self.causes.most_common():
            lines.append("%8d  %s, e.g. %s" % (count, why, "; ".join(sorted(set(self.examples[why]))[:3])))
        lines += ["not compared:"] + ["%8d  %s" % (n, why) for why, n in self.skipped.most_common()]
        if self.times:
            total = [sum(column) for column in zip(*self.times)]
            lines.append("kernel seconds: interpreter %.1f, machine %.3f bare, %.3f with all checks" % tuple(total))
            for label, column in (("bare", 1), ("all checks", 2)):
                ratios = sorted(t[0] / max(t[column], 1e-9) for t in self.times)
                lines.append(
                    "interpreter / machine, %s: median %.0f, tenth %.0f, total %.0f"
                    % (label, statistics.median(ratios), ratios[len(ratios) // 10], total[0] / total[column])
                )
        return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60, help="processor time of one candidate in the interpreter")
    parser.add_argument("--match", default="")
    options = parser.parse_args()
    items = [(c["id"], c) for c in candidates.listed() if options.match in c["id"]]
    summary = Summary()
    results = pool.run(one.work("cpu", options.seconds), items, options.out, options.jobs, 20 * options.seconds)
    for name, rows in results.items():
        summary.add(name, rows)
    print(summary.text())
    print(
        json.dumps(
            {why: sorted(set(names)) for why, names in summary.examples.items() if why.startswith("unexplained")}
        )
    )


if __name__ == "__main__":
    sys.exit(main())
