"""The shipped sample says what samples/expected.toml states: every candidate is there, each with an expected verdict.

Usage: check_samples.py KBX SAMPLES. Ends with "N passed, M failed".
"""

import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import tomllib
except ModuleNotFoundError:  # python 3.10
    print("tomllib needs python 3.11")
    sys.exit(77)


def main():
    kbx, samples = sys.argv[1], pathlib.Path(sys.argv[2])
    expected = {c["id"]: c for c in tomllib.loads((samples / "expected.toml").read_text())["candidate"]}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [kbx, "eval", str(samples), "--run", folder + "/run", "--json", "--quiet", "--seed", "1"], stdout=subprocess.PIPE, text=True
        )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    got = {line["candidate"]: line for line in lines if "candidate" in line}
    failed = 0
    for name, want in expected.items():
        line = got.pop(name, None)
        verdict = line["verdict"] if line else "lost"
        if verdict not in want["verdict"]:
            failed += 1
            print("FAIL", name, "is", verdict, "expected", want["verdict"], line["explanation"][:200] if line else "")
    for name in got:
        failed += 1
        print("FAIL", name, "is not in expected.toml")
    summary = lines[-1]["summary"] if lines else {}
    tasks = {c["task"] for c in expected.values()}
    if done.returncode != 0 or summary.get("harness_error") != 0:
        failed += 1
        print("FAIL exit code", done.returncode, summary)
    if len(expected) < 40 or len(tasks) < 15:
        failed += 1
        print("FAIL the sample is smaller than promised:", len(expected), "candidates,", len(tasks), "tasks")
    print("%d candidates over %d tasks" % (len(expected), len(tasks)))
    print("%d passed, %d failed" % (len(expected) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
