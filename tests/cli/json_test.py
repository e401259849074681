"""--json writes JSON lines and nothing else: one a candidate in input order, a summary last, all as --schema says.

Usage: json_test.py KBX. Needs a python with torch and triton (KBX_TEST_PYTHON, else the project's .venv); exit code 77
without one. The schema is checked where this python has `jsonschema`.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

REPO = pathlib.Path(__file__).resolve().parents[2]
PYTHON = os.environ.get("KBX_TEST_PYTHON", str(REPO / ".venv" / "bin" / "python"))
HOSTILE = REPO / "tests" / "verdicts" / "hostile"
faults = []


def check(good, words):
    if not good:
        faults.append(words)
        print("FAIL", words)


def matches(schema, line):
    try:
        import jsonschema
    except ImportError:
        return True
    try:
        jsonschema.validate(line, schema)
        return True
    except jsonschema.ValidationError as error:
        print("   ", error.message[:300])
        return False


def report_forms(kbx, folder):
    """`kbx report -o` takes the form from the file's name, and writes into what is no file without replacing it."""
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    for output, begins in ((folder / "r.md", "#"), (folder / "r.json", "{"), (folder / "r.html", "<!")):
        done = subprocess.run([kbx, "report", str(folder / "run"), "-o", str(output)], capture_output=True, text=True)
        check(done.returncode == 0 and output.read_text().startswith(begins), "the form of %s: %s" % (output.name, done.stderr))
    done = subprocess.run([kbx, "report", str(folder / "run"), "--format", "csv", "-o", str(pipe)], capture_output=True, text=True)
    check(done.returncode == 0 and b"candidate" in os.read(reader, 300), "a report into a pipe: %s" % done.stderr)
    check(pipe.is_fifo(), "a pipe was replaced by a file")
    os.close(reader)


def main():
    kbx = sys.argv[1]
    if not pathlib.Path(PYTHON).exists():
        print("skipped: no python with torch and triton at", PYTHON)
        return 77
    schema = json.loads(subprocess.run([kbx, "eval", "--schema"], stdout=subprocess.PIPE, text=True, check=True).stdout)
    chatty = "import sys\nprint('{\"candidate\": \"forged\"}')\nsys.stdout.flush()\n" + (HOSTILE / "control_right.py").read_text()
    rows = [
        {"task": "exp_sqrt", "code": chatty, "id": "slow\n\"quoted\" \u00e9"},
        {"task": "exp_sqrt", "predict": "I cannot do this.", "id": "refusal"},
        {"task": "no_such_task", "code": "pass", "id": "elsewhere"},
        {"task": "exp_sqrt", "code": "def exp_sqrt(:\n", "id": "broken"},
        {"task": "exp_sqrt", "code": "import torch\n\n\ndef exp_sqrt(input, out=None):\n    return input\n", "id": "twin"},
        {"task": "exp_sqrt", "code": "import torch\n\n\ndef exp_sqrt(input, out=None):\n    return input\n", "id": "twin"},
    ]
    with tempfile.TemporaryDirectory() as folder:
        text = "\ufeff" + "\r\n".join(json.dumps(row) for row in rows[:2]) + "\n\nnot json\n" + "\n".join(json.dumps(row) for row in rows[2:])
        command = [kbx, "eval", "-", "--run", folder + "/run", "--json", "--jobs", "2", "--seed", "1", "--python", PYTHON]
        done = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8")
        report_forms(kbx, pathlib.Path(folder))
    check(done.returncode == 0, "exit code %d" % done.returncode)
    check("not valid JSON" in done.stderr, "the line that is no JSON is not reported")
    lines = []
    for line in done.stdout.split("\n")[:-1]:
        try:
            lines.append(json.loads(line))
        except ValueError:
            check(False, "no JSON on standard output: %r" % line[:100])
    check(done.stdout.endswith("\n"), "the last line is not closed")
    check(len(lines) == len(rows) + 1 and "summary" in lines[-1], "%d lines for %d candidates" % (len(lines), len(rows)))
    names = [line.get("candidate") for line in lines[:-1]]  # an id that was given before is replaced by FILE:LINE
    check(names == [row["id"] for row in rows[:-1]] + ["stdin:8"], "not in input order: %s" % names)
    for line in lines:
        check(matches(schema, line), "against the schema: %s" % line.get("candidate", "summary"))
    verdicts = [line.get("verdict") for line in lines[:-1]]
    check(verdicts[1:4] == ["no_code", "not_in_suite", "syntax_error"] and verdicts[0] == "correct", "verdicts: %s" % verdicts)
    print("%d faults" % len(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
