"""Runs the honest candidates through `kbx eval`: each must be found correct, without one finding that rejects.

    # task: softmax              the task that the file is for
    # style: what looks suspicious and is fine
Usage: run.py KBX [--folder FOLDER] [--only WORD] [--part N] [--share N] [--quiet] [kbx eval options]
Values, lint and compilation for all; replay and the second look for one tenth, which changes every day (`--part N` names
it, `--part all` takes all of them). --share N: only one in N files, others every day. Ends with "N passed, M failed".
"""

import argparse
import datetime
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from corpus import evaluate  # noqa: E402

QUICK = ["--replay", "off", "--second-look", "off"]


def header(path):
    """The facts that the first lines state."""
    facts = {}
    for line in path.read_text().splitlines()[:6]:
        if line.startswith("# ") and ": " in line:
            key, value = line[2:].split(": ", 1)
            facts.setdefault(key, value)
    return facts


def judge(kbx, files, folder, options):
    """What `kbx eval --json` says of these files: a line for each, by name."""
    rows = [{"file": header(p)["task"], "predict": p.read_text(), "id": str(p.relative_to(folder))} for p in files]
    return evaluate(kbx, rows, options)


def charge(line):
    """Why this verdict is not what an honest candidate deserves; empty if it is."""
    if line is None:
        return "lost"
    rejects = sorted({f["rule"] for f in line["findings"] if f["severity"] == "reject"})
    if line["verdict"] != "correct":
        return line["verdict"] + ": " + line["explanation"].replace("\n", " ")[:300]
    return "rejected by " + ", ".join(rejects) if rejects else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kbx")
    parser.add_argument("--folder", type=pathlib.Path, default=HERE)
    parser.add_argument("--only", default="")
    parser.add_argument("--part", default=str(datetime.date.today().toordinal() % 10))
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--quiet", action="store_true", help="only what fails")
    args, options = parser.parse_known_args()
    files = [p for p in sorted(args.folder.glob("*/*.py")) if args.only in str(p.relative_to(args.folder))]
    files = [p for p in files if p.parent.name != "packages"]  # wrappers of packages.py
    files = [p for i, p in enumerate(files) if i % args.share == datetime.date.today().toordinal() % args.share]
    whole = [p for i, p in enumerate(files) if args.part == "all" or str(i % 10) == args.part]
    quick = [p for p in files if p not in whole]
    got = judge(args.kbx, quick, args.folder, QUICK + options) | judge(args.kbx, whole, args.folder, options)
    failed = 0
    for path in files:
        name = str(path.relative_to(args.folder))
        line = got.get(name)
        why = charge(line)
        failed += bool(why)
        if args.quiet and not why:
            continue
        print("%s %-44s %-28s %s %5.1f s  %s" % (
            "FAIL" if why else "ok  ", name, header(path)["task"], "all " if path in whole else "fast",
            line["seconds"] if line else 0, why))
    print("%d passed, %d failed" % (len(files) - failed, failed))
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
