"""`--replay required`: what is right and was played again stays correct; what is right and cannot be played is not judged.

Usage: replay_required_test.py KBX. Ends with "N passed, M failed".
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

KBX = os.path.abspath(sys.argv[1])
ROOT = pathlib.Path(__file__).resolve().parents[2]
results = []


def check(name, condition, shown=""):
    results.append(bool(condition))
    print("ok  " if condition else "FAIL", name, "" if condition else str(shown)[:2000])


def judged(files, *options):
    """What `kbx eval --json` says of these (task, file), in order."""
    with tempfile.TemporaryDirectory() as scratch:
        rows = pathlib.Path(scratch) / "rows.jsonl"
        rows.write_text("".join(json.dumps({"task": task, "code": (ROOT / file).read_text(), "id": file}) + "\n" for task, file in files))
        done = subprocess.run([KBX, "eval", str(rows), "--run", scratch + "/run", "--json", "--quiet", "--lint", "off", *options],
                              capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return done, [line for line in lines if "summary" not in line]


FILES = [
    ("relu", "suite/activation/relu/witness.py"),
    ("masked_select", "suite/index/masked_select/witness.py"),  # the size of its result depends on values
    ("exp_sqrt", "tests/exploits/harness/stop_tape_by_gc.py"),
]
done, lines = judged(FILES)
check("by default all three are correct", [line["verdict"] for line in lines] == ["correct"] * 3, done.stderr)
check("two of them in_process", [any(f.startswith("in_process: ") for f in line["flags"]) for line in lines] == [False, True, True], lines)
done, lines = judged(FILES, "--replay", "required")
check("required: only the first", [line["verdict"] for line in lines] == ["correct", "not_judged", "not_judged"], done.stderr or lines)
check("the reason is said", all("--replay required" in line["explanation"] for line in lines[1:]), lines)
done, lines = judged(FILES[:1], "--replay", "perhaps")
check("another word is refused", done.returncode == 2 and "must be on, off or required" in done.stderr, done.stderr)

print("%d passed, %d failed" % (sum(results), len(results) - sum(results)))
sys.exit(0 if all(results) else 1)
