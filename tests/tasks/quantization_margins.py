"""How far the witnesses of the quantization tasks stay inside their bounds, over several seeds.

    python tests/tasks/quantization_margins.py KBX [--seeds 20]

A line a task: cases judged, those that were right, and of every metric the smallest ratio of bound to measured value (of
`rel_rms_min`: measured value to bound); 1 is the bound itself. Where the exact scheme itself is further off than a bound
allows, the oracle's bound is 1.5 x what the scheme shows (docs/oracles.md), so a ratio below 1.5 here is no failure; the
share of such cases stands beside it. Exit code 1 when a case is not right.
"""

import argparse
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

try:
    import tomllib
except ModuleNotFoundError:  # python 3.10
    import tomli as tomllib

SUITE = pathlib.Path(__file__).resolve().parent.parent.parent / "suite" / "quantization"


def judgements(kbx, file, seed, folder):
    """(task, judgement of the strict profile) of one run."""
    run = "%s/run%d" % (folder, seed)
    command = [kbx, "eval", file, "--run", run, "--seed", str(seed), "--quiet", "--json", "--replay", "off", "--second-look", "off", "--device", "cpu"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    with sqlite3.connect(run + "/run.db") as database:
        for (record,) in database.execute("SELECT record FROM job"):
            record = json.loads(record)
            for judgement in record["judgements"]:
                yield record["task"], judgement["kbx"]


def ratios(oracle, metrics):
    found = {"1-cosine": (1 - oracle["cosine_min"], 1 - metrics["cosine"]), "l1": (oracle["l1_max"], metrics["l1_rel"])}
    found["rmse"] = (oracle["rmse_max"], metrics["rel_rmse"])
    found["rel_rms_min"] = (metrics["rel_rmse"], oracle["rel_rms_min"])
    return {name: above / below for name, (above, below) in found.items() if above > 0 and below > 0}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kbx")
    parser.add_argument("--seeds", type=int, default=20)
    options = parser.parse_args()
    tasks = sorted(path.parent for path in SUITE.glob("*/task.toml"))
    oracles = {path.name: tomllib.loads((path / "task.toml").read_text())["oracle"] for path in tasks}
    cases, right, least, below = ({name: 0 for name in oracles} for _ in range(4))
    least = {name: {} for name in oracles}
    with tempfile.TemporaryDirectory() as folder:
        file = folder + "/witnesses.jsonl"
        rows = [{"file": path.name, "predict": "```python\n%s\n```" % (path / "witness.py").read_text()} for path in tasks]
        pathlib.Path(file).write_text("".join(json.dumps(row) + "\n" for row in rows))
        for seed in range(1, options.seeds + 1):
            for task, judgement in judgements(options.kbx, file, seed, folder):
                cases[task] += 1
                right[task] += judgement["verdict"] == "correct"
                found = ratios(oracles[task], judgement["metrics"])
                below[task] += any(ratio < 1.5 for ratio in found.values())
                for name, ratio in found.items():
                    least[task][name] = min(least[task].get(name, ratio), ratio)
    for task in oracles:
        words = "  ".join("%s %.2f" % (name, ratio) for name, ratio in least[task].items())
        print("%-18s %5d cases, %5d right, %4d with a ratio below 1.5   %s" % (task, cases[task], right[task], below[task], words))
    return 0 if cases == right else 1


if __name__ == "__main__":
    sys.exit(main())
