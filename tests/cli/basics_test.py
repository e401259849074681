"""The command line as people meet it: help, exit codes, tables, settings and where they came from, small verbs.

Usage: basics_test.py KBX. Ends with "N passed, M failed".
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


def kbx(*args, cwd=None, stdin=None, **env):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("KBX_") or k == "KBX_PYTHON"}
    return subprocess.run([KBX, *map(str, args)], cwd=cwd, input=stdin, capture_output=True, text=True, env={**clean, **env})


def check(name, condition, shown=""):
    results.append(bool(condition))
    print("ok  " if condition else "FAIL", name, "" if condition else str(shown)[:600])


def help_and_exit_codes():
    done = kbx("--help")
    check("--help exits 0 and teaches", done.returncode == 0 and "Examples:" in done.stdout and "Exit codes" in done.stdout, done.stdout)
    check("no verb exits 2 with the help", kbx().returncode == 2)
    done = kbx("evall", "x")
    check("an unknown verb exits 2 and names the nearest", done.returncode == 2 and "there is no verb evall; did you mean eval?" in done.stderr, done.stderr)
    for words, said in (
        (("tasks", "shw"), "did you mean show? (kbx tasks --help)"),
        (("eval", "--rsume", "x"), "kbx eval has no option --rsume; did you mean --resume? (kbx eval --help)"),
        (("--jobs", "3", "eval"), "options stand behind the verb: kbx eval --jobs"),
        (("check",), "FILE is required (kbx check --help)"),
        (("tasks", "list", "mth"), "did you mean math?"),
    ):
        done = kbx(*words)
        check("kbx %s: %s" % (" ".join(words), said), done.returncode == 2 and said in done.stderr, done.stderr)
    check("no verb shows another verb's examples", "kbx eval" not in kbx("methods", "--help").stdout)
    for verb in ("eval", "check", "report", "show", "lint", "compile", "profile", "calibrate", "tasks", "doctor", "config"):
        done = kbx(verb, "--help")
        check("%s --help" % verb, done.returncode == 0 and "--help" in done.stdout, done.stderr)
    done = kbx("calibrate", "--device", "cpu")
    check("calibrate without a GPU exits 2 and says why", done.returncode == 2 and "GPU" in done.stderr, done.stderr)
    check("--version", kbx("--version").stdout.startswith("kbx "))


def tasks():
    done = kbx("tasks", "list", "--json")
    listed = json.loads(done.stdout)
    check("at least 24 tasks in all 15 categories", len(listed) >= 24 and len({t["category"] for t in listed}) == 15, len(listed))
    check("each has cases, perf sizes and a version", all(t["cases"] >= 6 and t["perf"] >= 3 and len(t["version"]) == 64 for t in listed))
    done = kbx("tasks", "show", "softmax")
    check("show prints the contract", "softmax(" in done.stdout and "TF32" in done.stdout, done.stdout)
    done = kbx("tasks", "prompt", "softmax")
    check("the prompt shows the signature and no test", "softmax(" in done.stdout and "seed" not in done.stdout.lower() and "1023" not in done.stdout, done.stdout)
    done = kbx("tasks", "show", "sofmax")
    check("an unknown task exits 2 and names the nearest", done.returncode == 2 and "softmax" in done.stderr, done.stderr)
    schema = json.loads(kbx("tasks", "schema").stdout)
    check("the schema is JSON Schema", "json-schema.org" in schema.get("$schema", ""), list(schema))


def methods_and_models():
    with tempfile.TemporaryDirectory() as folder:
        done = kbx("methods", cwd=folder)
        check("methods lists the five presets", done.returncode == 0 and all(m in done.stdout for m in ("autotriton", "claude", "ds_coder", "geak", "kernelagent")), done.stdout + done.stderr)
        done = kbx("models", cwd=folder)
        check("models come with the program", done.returncode == 0 and "claude-opus-5" in done.stdout and "$ANTHROPIC_API_KEY" in done.stdout, done.stdout + done.stderr)
        done = kbx("run", "claude", "--tasks", "softmax", "--dry-run", cwd=folder)
        check("a dry run needs no key", done.returncode == 0 and "1 task, " in done.stdout, done.stdout + done.stderr)
        done = kbx("run", "mine.toml", "--tasks", "softmax", "--dry-run", cwd=folder)
        for option in ("--prompts", "--corpus"):
            lost = kbx("run", "claude", "--tasks", "softmax", "--dry-run", option, "nowhere", cwd=folder)
            check(option + " that is not there exits 2", lost.returncode == 2 and "nowhere" in lost.stderr, lost.stderr)
        check("a method's file that is not there exits 2", done.returncode == 2 and "mine.toml" in done.stderr, done.stderr)


def settings():
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "kbx.toml").write_text('# mine\njobs = 3\narch = "sm_80"\n')
        got = json.loads(kbx("config", "--json", cwd=folder, KBX_JOBS="5").stdout)
        check("the environment goes before the file", got["jobs"] == {"value": "5", "origin": "KBX_JOBS"}, got["jobs"])
        check("the file's line is named", got["arch"] == {"value": "sm_80", "origin": "kbx.toml:3"}, got["arch"])
        pathlib.Path(folder, "kbx.toml").write_text("jbos = 3\n")
        done = kbx("config", cwd=folder)
        check("a typing error in the file is named", done.returncode == 2 and "kbx.toml:1" in done.stderr and "jobs" in done.stderr, done.stderr)
    done = kbx("eval", ROOT / "samples", "--arch", "sm_77")
    check("an unknown target exits 2", done.returncode == 2 and "sm_90" in done.stderr, done.stderr)
    check("a target is the whole word", kbx("eval", ROOT / "samples", "--arch", "sm_90x").returncode == 2)
    done = kbx("check", ROOT / "suite" / "math" / "exp_sqrt" / "witness.py", "--task", "exp_sqr")
    check("an unknown task is said before workers start", done.returncode == 2 and done.stderr == "kbx: the suite has no task exp_sqr; did you mean exp_sqrt?\n", done.stderr)
    done = kbx("profile", ROOT / "suite" / "math" / "exp_sqrt" / "witness.py", "--task", "exp_sqrt", "--device", "cpu")
    check("a profile needs a GPU and says so", done.returncode == 2 and "needs a GPU" in done.stderr, done.stderr)
    done = kbx("check", ROOT / "suite" / "math" / "exp_sqrt" / "witness.py", "--task", "exp_sqrt", "--sanitize", "--device", "cpu")
    check("--sanitize without a GPU is refused, not left out", done.returncode == 2 and "needs a GPU" in done.stderr, done.stderr)
    done = kbx("eval", "/nothing/here.jsonl")
    check("a missing input exits 2", done.returncode == 2 and "/nothing/here.jsonl" in done.stderr, done.stderr)
    check("nothing to judge exits 2", kbx("eval").returncode == 2)


def lint():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "softmax.py")
        path.write_text("import subprocess\n\ndef softmax(input, dim, dtype=None):\n    subprocess.run('ls')\n    return input\n")
        done = kbx("lint", path, "--format", "sarif")
        check("lint exits 1 and prints SARIF", done.returncode == 1 and json.loads(done.stdout)["version"] == "2.1.0", done.stdout)
        check("lint names file and line", "softmax.py:" in kbx("lint", path).stdout)


def standard_input():
    reply = "Here it is:\n```python\nimport torch\n\ndef relu(input):\n    return input\n```\n"
    line = json.dumps({"file": "Math/no_such_task_here.py", "predict": reply}) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        done = kbx("eval", "-", "--run", folder + "/run", "--json", "--quiet", stdin=line)
        lines = [json.loads(text) for text in done.stdout.splitlines()]
        check("standard input is read", done.returncode == 0 and lines and lines[0]["verdict"] == "not_in_suite", done.stdout + done.stderr)
        check("the summary is last", "summary" in lines[-1] and lines[-1]["summary"]["not_in_suite"] == 1, lines[-1:])


def main():
    for part in (help_and_exit_codes, tasks, methods_and_models, settings, lint, standard_input):
        part()
    print("%d passed, %d failed" % (sum(results), len(results) - sum(results)))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
