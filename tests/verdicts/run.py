"""Runs a folder of candidates through `kbx eval` and compares each verdict with the one its first lines state.

    # task: exp_sqrt
    # expect: wrong_value        a verdict, `a|b` for either, `*wrong` for any failure, `*` for anything but harness_error
    # warns: strict_device       optional: the one rule of the second look that warns, or `nothing`
    # flag: replayed             optional: a flag of the record that begins so
    # what it does
Usage: run.py KBX FOLDER [kbx eval options]. Ends with "N passed, M failed".
"""

import json
import pathlib
import subprocess
import sys
import tempfile

SECOND_LOOK = {"strict_device", "order_dependent", "second_look"}
FINE = {"correct", "not_judged", "harness_error"}


def header(path):
    facts = {}
    for line in path.read_text().splitlines()[:6]:
        if line.startswith("# ") and ": " in line:
            key, value = line[2:].split(": ", 1)
            facts.setdefault(key, value)
    return facts


def fits(verdict, expected):
    if expected == "*":
        return verdict != "harness_error"
    if expected == "*wrong":
        return verdict not in FINE
    return verdict in expected.split("|")


def warns(line, expected):
    rules = {f["rule"] for f in line["findings"] if f["rule"] in SECOND_LOOK}
    return rules == (set() if expected == "nothing" else {expected})


def main():
    kbx, folder, options = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    files = {p.stem: header(p) for p in sorted(folder.glob("*.py"))}
    with tempfile.TemporaryDirectory() as run:
        task = next(iter(files.values()))["task"]
        command = [kbx, "eval", str(folder), "--task", task, "--run", run + "/run", "--json", "--quiet", *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode != 0 or not lines or "summary" not in lines[-1]:
        print("kbx eval failed with exit code", done.returncode)
        print("0 passed, 1 failed")
        return 1
    got = {pathlib.Path(line["candidate"]).stem: line for line in lines[:-1]}
    failed = 0
    for name, facts in files.items():
        line = got.get(name)
        verdict = line["verdict"] if line else "lost"
        ok = line is not None and fits(verdict, facts["expect"])
        if ok and "warns" in facts:
            ok = warns(line, facts["warns"])
        if ok and "flag" in facts:
            ok = any(flag.startswith(facts["flag"]) for flag in line["flags"])
        failed += not ok
        print("%s %-28s %-22s expected %-20s %5.1f s  %s" % (
            "ok  " if ok else "FAIL", name, verdict, facts["expect"], line["seconds"] if line else 0, line["explanation"][:90].replace("\n", " ") if line else ""))
    if pathlib.Path("/usr/kbx_was_here").exists():
        print("FAIL a candidate wrote outside its folder: /usr/kbx_was_here")
        failed += 1
    print("%d passed, %d failed" % (len(files) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
