"""Strange input and settings: every one ends with the documented exit code and a sentence, and what is good beside it is
judged. Exit codes: 0 evaluated, 2 usage or input, 3 kbx or the machine.

Usage: badinput_test.py KBX. Needs a python with torch and triton (KBX_TEST_PYTHON, else the project's .venv); exit code 77
without one. Most commands end before a worker starts, the others judge nothing that has to run.
"""

import fcntl
import json
import os
import pathlib
import subprocess
import sys
import tempfile

REPO = pathlib.Path(__file__).resolve().parents[2]
PYTHON = os.environ.get("KBX_TEST_PYTHON", str(REPO / ".venv" / "bin" / "python"))
REFUSAL = "I am sorry, I cannot write this kernel.\n"
MIB = 1 << 20
faults = []


def check(good, words):
    if not good:
        faults.append(words)
        print("FAIL", words)


def run(kbx, folder, *arguments, stdin="", **more):
    return subprocess.run([kbx, *map(str, arguments)], input=stdin, capture_output=True, text=True, cwd=folder, errors="replace", timeout=60, **more)


def expect(done, code, words, name):
    said = done.stdout + done.stderr
    check(done.returncode == code, "%s: exit code %d instead of %d: %s" % (name, done.returncode, code, said[-200:]))
    check(words in said, "%s: %r is not said: %s" % (name, words, said[-200:]))


def bad_settings(kbx, folder):
    (folder / "good.md").write_text(REFUSAL)
    evaluate = ["eval", "good.md", "--task", "exp_sqrt", "--quiet", "--run", "settings"]
    for flag, value in (
        ("--jobs", "-3"),
        ("--jobs", "99999999999999999999"),
        ("--seed", "abc"),
        ("--lint", "maybe"),
        ("--arch", "sm_9999"),
        ("--call-seconds", "0"),
        ("--call-seconds", "nan"),
        ("--call-seconds", "inf"),
        ("--memory-gib", "1e300"),
        ("--device", "cuda:7x"),
        ("--device", "cuda:"),
        ("--device", "cuda:0,"),
        ("--device", "cuda:123"),
        ("--device", "gpu"),
        ("--timing", "maybe"),
        ("--sanitize", "maybe"),
        ("--extract", "guess"),
        ("--python", "/no/such/python"),
    ):
        expect(run(kbx, folder, *evaluate, flag, value), 2, "kbx: ", "%s %s" % (flag, value))
    expect(run(kbx, folder, "eval", "good.md", "--task", "exp_sqr", "--quiet"), 2, "did you mean exp_sqrt", "an unknown task")
    expect(run(kbx, folder, *evaluate, "--python", "/bin/false"), 3, "python worker", "a python that fails")
    for text, words in (("jobz = 3\n", "did you mean jobs"), ("jobs 3\n", "kbx.toml:1"), ('python = "x\n', "quote"), ("\x00\xff", "kbx.toml:1")):
        (folder / "kbx.toml").write_text(text)
        expect(run(kbx, folder, *evaluate), 2, words, "kbx.toml %r" % text)
    (folder / "kbx.toml").unlink()


def bad_paths(kbx, folder):
    (folder / "empty").mkdir()
    (folder / "empty.jsonl").write_text("")
    (folder / "noise.jsonl").write_bytes(os.urandom(20000))
    with (folder / "huge.py").open("wb") as file:
        file.truncate(200 * MIB)
    evaluate = ["eval", "--task", "exp_sqrt", "--quiet", "--python", PYTHON]
    expect(run(kbx, folder, *evaluate, "/no/such/file"), 2, "there is no", "no such path")
    expect(run(kbx, folder, "eval"), 2, "nothing to judge", "no path")
    expect(run(kbx, folder, *evaluate, "--run", "/proc/none", "empty.jsonl"), 3, "cannot create", "a run folder that cannot be")
    everything = run(kbx, folder, *evaluate, "--run", "paths", "empty", "empty.jsonl", "noise.jsonl", "huge.py")
    expect(everything, 2, "no candidate", "nothing but bad input")
    check("larger than 16 MiB" in everything.stderr and "noise.jsonl:1" in everything.stderr, "bad files are not named: " + everything.stderr[-300:])


def good_beside_bad(kbx, folder):
    strange = folder / "a b 'c' \"d\" $e \u00e9"
    strange.mkdir()
    (strange / "exp_sqrt.md").write_text(REFUSAL)
    with (folder / "long.jsonl").open("w") as file:
        file.write('{"task": "exp_sqrt", "code": "' + "x" * (100 * MIB) + '"}\n')
        file.write(json.dumps({"task": "exp_sqrt", "predict": REFUSAL, "id": "after"}) + "\n")
    done = run(kbx, folder, "eval", strange, "long.jsonl", "--run", strange / "run", "--quiet", "--json", "--python", PYTHON)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    check(done.returncode == 0 and [line.get("verdict") for line in lines[:-1]] == ["no_code", "no_code"], "good beside bad: %s" % done.stdout[-300:])
    check("long.jsonl:1" in done.stderr, "the long line is not named: " + done.stderr[-200:])
    return strange / "run"


def run_folders(kbx, folder, run_folder):
    (folder / "good.md").write_text(REFUSAL)
    evaluate = ["eval", "good.md", "--task", "exp_sqrt", "--quiet", "--python", PYTHON]
    expect(run(kbx, folder, *evaluate, "--run", run_folder), 2, "--resume", "a run folder that is in use")
    expect(run(kbx, folder, *evaluate, "--run", run_folder, "--resume", "--seed", "2"), 2, "another seed", "another seed")
    with (run_folder / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        expect(run(kbx, folder, *evaluate, "--run", run_folder, "--resume"), 2, "another kbx", "two kbx on one run")
    expect(run(kbx, folder, *evaluate, "--run", run_folder, "--resume"), 0, "no_code", "resumed afterwards")
    (folder / "damaged").mkdir()
    (folder / "damaged" / "run.db").write_bytes(b"x" * 8192)
    expect(run(kbx, folder, *evaluate, "--run", "damaged"), 3, "damaged", "a damaged run")
    expect(run(kbx, folder, "report", "empty"), 2, "not a kbx run", "a report of no run")


def faulty_suite(kbx, folder):
    """A task that cannot be read is said and left out; the others are there. `tasks check` of all of them fails."""
    suite, shipped = folder / "suite", REPO / "suite" / "activation" / "gelu"
    for name in ("gelu", "broken"):
        (suite / "activation" / name).mkdir(parents=True)
    for file in shipped.glob("*.*"):
        (suite / "activation" / "gelu" / file.name).write_text(file.read_text())
    (suite / "activation" / "broken" / "task.toml").write_text("name = broken\n")
    done = run(kbx, folder, "tasks", "list", "--suite", suite)
    expect(done, 0, "a task is left out", "faulty suite")
    check("1 task in 1 category" in done.stdout, "faulty suite: the good task is not listed: " + done.stdout[-200:])
    (suite / "activation" / "gelu" / "task.toml").unlink()
    expect(run(kbx, folder, "tasks", "list", "--suite", suite), 2, "broken/task.toml", "suite without a good task")


def main():
    kbx = str(pathlib.Path(sys.argv[1]).resolve())
    if not pathlib.Path(PYTHON).exists():
        print("skipped: no python with torch and triton at", PYTHON)
        return 77
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        bad_settings(kbx, folder)
        bad_paths(kbx, folder)
        run_folders(kbx, folder, good_beside_bad(kbx, folder))
        faulty_suite(kbx, folder)
    print("%d faults" % len(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
