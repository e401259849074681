"""A run that was killed, interrupted or lost its fork server ends with the table of the undisturbed one.

Usage: resume_test.py KBX. Needs a python with torch and triton (KBX_TEST_PYTHON, else the project's .venv); exit code 77
without one. Exit code 1 and one line a fault if something fails.
"""

import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

REPO = pathlib.Path(__file__).resolve().parents[2]
PYTHON = os.environ.get("KBX_TEST_PYTHON", str(REPO / ".venv" / "bin" / "python"))
HOSTILE = REPO / "tests" / "verdicts" / "hostile"
NAMES = ["waits%d" % k for k in range(6)] + ["control_right"]
faults = []


def check(good, words):
    if not good:
        faults.append(words)
        print("FAIL", words)


def command(kbx, source, run, *more):
    return [kbx, "eval", str(source), "--run", str(run), "--json", "--quiet", "--jobs", "1", "--lint", "off", "--python", PYTHON, *more]


def source_of(name):
    """Candidates that take a moment and little work: long enough to be disturbed in the middle of a run."""
    if not name.startswith("waits"):
        return (HOSTILE / (name + ".py")).read_text()
    return "import time\ntime.sleep(0.7)\nraise ValueError('%s')\n" % name


def table(text):
    """candidate -> what must not depend on how the run went."""
    lines = [json.loads(line) for line in text.splitlines()]
    return [(line["candidate"], line["verdict"], line["verdicts"]["paper"], line["explanation"]) for line in lines if "candidate" in line]


def stored(run):
    """How many results the run folder holds."""
    if not (run / "run.db").exists():
        return 0
    try:
        with sqlite3.connect("file:%s?mode=ro" % (run / "run.db"), uri=True) as base:
            return base.execute("select count(*) from job").fetchone()[0]
    except sqlite3.Error:
        return 0


def zygotes(pid):
    """Process ids of the fork servers below kbx."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if parent == pid and b"zygote.py" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except (OSError, ValueError, IndexError):
            pass
    return found


def disturbed(kbx, source, run, disturb, *more):
    """Starts a run, waits for its first two results, disturbs it; (exit code, standard output)."""
    child = subprocess.Popen(command(kbx, source, run, *more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    limit = time.monotonic() + 60
    while stored(run) < 2 and child.poll() is None and time.monotonic() < limit:
        time.sleep(0.05)
    check(child.poll() is None, "the run ended before it could be disturbed")
    disturb(child.pid)
    out, said = child.communicate(timeout=120)
    if child.returncode > 0 and disturb.__name__ == "kill_zygote":
        print(said[-500:])
    return child.returncode, out


def main():
    kbx = sys.argv[1]
    if not pathlib.Path(PYTHON).exists():
        print("skipped: no python with torch and triton at", PYTHON)
        return 77
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        source = folder / "candidates.jsonl"
        lines = [json.dumps({"task": "exp_sqrt", "code": source_of(name), "id": name}) for name in NAMES]
        source.write_text("\n".join(lines) + "\n")
        plain = subprocess.run(command(kbx, source, folder / "plain", "--seed", "7"), capture_output=True, text=True)
        want = table(plain.stdout)
        check(plain.returncode == 0 and [row[0] for row in want] == NAMES, "the undisturbed run: exit code %d" % plain.returncode)

        code, _ = disturbed(kbx, source, folder / "killed", lambda pid: os.kill(pid, signal.SIGKILL), "--seed", "7")
        check(code == -signal.SIGKILL and 2 <= stored(folder / "killed") < len(NAMES), "kill -9 left %d results" % stored(folder / "killed"))
        again = subprocess.run(command(kbx, source, folder / "killed"), capture_output=True, text=True)
        check(again.returncode == 2 and "--resume" in again.stderr, "a run folder in use, without --resume: exit code %d" % again.returncode)
        again = subprocess.run(command(kbx, source, folder / "killed", "--resume"), capture_output=True, text=True)
        check(again.returncode == 0 and table(again.stdout) == want, "kill -9 and --resume: not the undisturbed table")

        code, out = disturbed(kbx, source, folder / "interrupted", lambda pid: os.kill(pid, signal.SIGINT), "--seed", "7")
        check(code == 3, "Ctrl-C: exit code %d instead of 3" % code)
        part = table(out)
        check(part and part == [row for row in want if row in part], "Ctrl-C: what is done is not told, or differs")
        again = subprocess.run(command(kbx, source, folder / "interrupted", "--resume"), capture_output=True, text=True)
        check(again.returncode == 0 and table(again.stdout) == want, "Ctrl-C and --resume: not the undisturbed table")

        def kill_zygote(pid):
            servers = zygotes(pid)
            check(len(servers) >= 1, "no fork server found below kbx")
            for server in servers:
                os.kill(server, signal.SIGKILL)

        code, out = disturbed(kbx, source, folder / "orphaned", kill_zygote, "--seed", "7")
        got = table(out)
        check(code == 0 and [row[0] for row in got] == NAMES, "a killed fork server: exit code %d, %d results" % (code, len(got)))
        odd = [row[:2] for row, good in zip(got, want) if row != good]
        check(not odd, "a killed fork server changed verdicts: %s" % odd)
    print("%d faults" % len(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
