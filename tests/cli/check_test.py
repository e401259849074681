"""`kbx check` as a person reads it: golden output for each kind of finding, the hardware feedback, and colour.

Usage: check_test.py KBX [--record]. Ends with "N passed, M failed". Golden texts: check/NAME.txt beside check/NAME.py; in
them %float stands for any number with digits behind the point or an exponent, %hash for a seal. Tables are not compared.
"""

import json
import os
import pathlib
import pty
import re
import subprocess
import sys

KBX = os.path.abspath(sys.argv[1])
RECORD = "--record" in sys.argv
FOLDER = pathlib.Path(__file__).resolve().parent / "check"
GPUS = ("A100-40GB", "A100-80GB", "RTX 3090", "RTX 4090", "H100 SXM", "H200", "B200", "RTX 5090")
ARGUMENTS = ["--task", "exp_sqrt", "--seed", "1", "--arch", "sm_90", "--jobs", "1", "--second-look", "off"]
results = []


def check(name, condition, shown=""):
    results.append(bool(condition))
    print("ok  " if condition else "FAIL", name, "" if condition else str(shown)[:2000])


def kbx(path, *more):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("KBX_") or k == "KBX_PYTHON"}
    return subprocess.run(
        [KBX, "check", path, *ARGUMENTS, *more], cwd=FOLDER, capture_output=True, text=True, env=clean, errors="replace"
    )


def findings(text):
    """What is compared: everything but tables, measured numbers made %float."""
    kept, table = [], False
    for line in text.splitlines():
        table = table or line.startswith(("case ", "kernel ", "counted on the machine"))
        if re.match(r"\d+ ((error|warning)s?\b|of \d+ outputs)", line):
            table = False
        if table:
            continue
        if not re.match(r" +\d+ \||.* = help: ", line):
            line = re.sub(r"-?\d+\.\d+(e[+-]?\d+)?|\b\d+e[+-]\d+", "%float", line)
            line = re.sub(r"\b[0-9a-f]{16}\b", "%hash", line)
        kept.append(line.rstrip())
    return "\n".join(kept).strip() + "\n"


def golden():
    for path in sorted(FOLDER.glob("*.py")):
        done = kbx(path.name)
        expected = path.with_suffix(".txt")
        got = findings(done.stdout)
        if RECORD:
            expected.write_text(got)
        same = expected.exists() and got == expected.read_text()
        check("check %s" % path.name, same, got)
        check("%s: exit code" % path.name, done.returncode == (0 if path.stem == "correct" else 1), done.stderr)
        check("%s: a pipe gets no colour" % path.name, "\033" not in done.stdout, repr(done.stdout))


def hardware():
    text = kbx("correct.py").stdout
    check("every GPU has its bound", all(gpu in text for gpu in GPUS), text)
    check("it says that it is a bound", "lower bounds from datasheets, not times" in text, text)
    record = json.loads(kbx("correct.py", "--json").stdout)
    facts = record.get("hardware", {})
    # The largest case: 70001 floats read once and written once, nothing else.
    size = 2 * 4 * 70001
    check("the largest case is counted", facts.get("case") == "beyond_65536" and facts["compulsory_bytes"] == size, facts)
    check("each byte moves once", facts.get("distinct_bytes") == size and facts.get("traffic") == 1.0, facts)
    bounds = {b["gpu"]: b for b in facts.get("bounds", [])}
    h200 = bounds.get("H200", {})
    check("the bound is bytes over bandwidth", abs(h200.get("at_least_seconds", 0) - size / 4.8e12) < 1e-15, h200)
    check("launches say what they touched", {t["tensor"] for t in record["launches"][0]["tensors"]} == {"input", "result"}, record["launches"])


def colour():
    """On a terminal: the same words, painted."""
    env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    reader, writer = pty.openpty()
    with subprocess.Popen([KBX, "check", "lint_rejection.py", *ARGUMENTS], cwd=FOLDER, stdout=writer, stderr=subprocess.DEVNULL, env=env) as child:
        os.close(writer)
        parts = []
        while True:
            try:
                part = os.read(reader, 65536)
            except OSError:
                break
            if not part:
                break
            parts.append(part)
        child.wait()
    text = b"".join(parts).decode(errors="replace").replace("\r\n", "\n")
    check("a terminal gets colour", "\033[1;31merror:\033[0m" in text, repr(text[:600]))
    plain = re.sub(r"\033\[[0-9;]*m", "", text)
    check("without the colour it is the same text", findings(plain) == (FOLDER / "lint_rejection.txt").read_text(), plain)


def main():
    for part in (golden, hardware, colour):
        part()
    print("%d passed, %d failed" % (sum(results), len(results) - sum(results)))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
