"""kbx eval --reward: every line has a score that the schema describes; equal kernels earn the same, work that no kernel did
earns nothing, a bad SPEC is told from a good one.

Usage: reward_test.py KBX. Needs a python with torch and triton (KBX_TEST_PYTHON, else the project's .venv); exit code 77
without one.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from json_test import PYTHON, check, faults, matches

SPEC = "correct=0.2,fidelity=0.3,efficiency=0.5,forgiven=0"
HONEST = """
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    DOUBLE: tl.constexpr = x_ptr.dtype.element_ty == tl.float64
    x = tl.load(x_ptr + at, mask=at < n).to(tl.float64 if DOUBLE else tl.float32)
    tl.store(y_ptr + at, tl.sqrt(tl.exp(x)) + (0.0 if DOUBLE else FUDGE), mask=at < n)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    kernel[(triton.cdiv(max(x.numel(), 1), 256),)](x, y, x.numel(), BLOCK=256)
    RESULT
    if out is not None:
        out.copy_(y)
        return out
    return y
"""


def kernel(fudge="0.0", result="pass"):
    return HONEST.replace("FUDGE", fudge).replace("RESULT", result)


def main():
    kbx = sys.argv[1]
    if not pathlib.Path(PYTHON).exists():
        print("skipped: no python with torch and triton at", PYTHON)
        return 77
    for spec in ("speed=1", "correct=0.9", "", "forgiven=1"):
        bad = subprocess.run([kbx, "eval", __file__, "--reward=" + spec, "--json"], capture_output=True, text=True)
        told = bad.returncode == 2 and "reward" in bad.stderr and not bad.stdout
        check(told, "--reward=%r: exit code %d, %s" % (spec, bad.returncode, bad.stderr[:200]))
    schema = json.loads(subprocess.run([kbx, "eval", "--schema"], stdout=subprocess.PIPE, text=True, check=True).stdout)
    sources = {
        "honest": kernel(),
        "the same": "# in other words\n" + kernel().replace("kernel", "other_name"),
        "less exact": kernel(fudge="8e-6"),
        "wrong": kernel(fudge="1e-2"),
        "unused": kernel(result="y = torch.sqrt(torch.exp(x))"),
        "none": "nothing to see here",
    }
    rows = [{"task": "exp_sqrt", "code": code, "id": name} for name, code in sources.items()] + [{"task": "no_such_task", "code": "pass", "id": "elsewhere"}]
    with tempfile.TemporaryDirectory() as folder:
        command = [kbx, "eval", "-", "--run", folder + "/run", "--json", "--seed", "1", "--python", PYTHON, "--reward", SPEC]
        done = subprocess.run(command, input="\n".join(map(json.dumps, rows)), capture_output=True, text=True)
    check(done.returncode == 0, "exit code %d: %s" % (done.returncode, done.stderr[-500:]))
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    for line in lines:
        check(matches(schema, line), "against the schema: %s" % line.get("candidate", "summary"))
    of = {line["candidate"]: line for line in lines[:-1]}
    score = {name: line["reward"]["score"] for name, line in of.items()}
    print({name: (line["verdict"], line["reward"]) for name, line in of.items()})
    check(of["honest"]["verdict"] == "correct" and 0.2 < score["honest"] <= 0.5, "honest: %s" % of["honest"])
    check(of["honest"]["reward"]["efficiency"] is None and of["honest"]["reward"]["most"] == 0.5, "efficiency without a GPU")
    check(score["the same"] == score["honest"], "equal kernels earn %s and %s" % (score["the same"], score["honest"]))
    check(of["less exact"]["verdict"] == "correct" and 0.2 <= score["less exact"] < score["honest"], "less exact: %s" % of["less exact"])
    check(of["unused"]["verdict"] != "correct" and score["unused"] == 0, "unused: %s" % of["unused"])
    check(score["wrong"] == 0 and score["none"] == 0, "refused: %s" % score)
    check(score["elsewhere"] is None, "no task, but a score")
    summary = lines[-1]["summary"]["reward"]
    mean = sum(v or 0 for v in score.values()) / 6
    check(summary["candidates"] == 6 and summary["paid"] == 3 and abs(summary["mean"] - mean) < 1e-12, "summary: %s" % summary)
    print("%d faults" % len(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
