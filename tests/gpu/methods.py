"""On a machine with a GPU: kbx run goes to its end with what the card measures, for KernelAgent (with its optimise phase) and GEAK.

    python tests/gpu/methods.py KBX [--device cuda:0] [--tasks N] [--keep FOLDER]      KBX: build/bin/kbx, or bin/kbx of an unpacked release

A scripted server (method_script.py) answers over loopback: wrong kernels, a slow right one, then a fast one, one in between and
a wrong one. Looked at: the questions of the optimise phase hold the card's figures as the records have them, the fastest right
kernel wins, every right record is timed, a replay of the cassette ends equal, and `kbx eval --reward` pays for the speed.
`--device cpu`: all of it that is not about times. Prints a line a check. Exit code 1 when one fails, 77 without a GPU.
"""

import argparse
import json
import math
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

import method_script
import scripted_model

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "llm"))
import run_rows  # noqa: E402

SPEC = "correct=0.2,fidelity=0.3,efficiency=0.5"
TUNED = """[methods.tuned]
like = "kernelagent"
workers = 2
feedback = "task_tests"
optimise = { rounds = 2, keep = 1, directions = 2, repairs = 0, stop_at = 1.0 }
"""


class Checks:
    def __init__(self):
        self.failed = self.count = 0

    def __call__(self, holds, what, more=""):
        self.count += 1
        self.failed += not holds
        print("%s %s%s" % ("ok  " if holds else "FAIL", what, "" if holds else ": %s" % (more,)), flush=True)


class Bench:
    """kbx in a folder of its own, and what its runs hold."""

    def __init__(self, options, folder, check):
        self.kbx, self.device, self.folder, self.check = options.kbx.resolve(), options.device, folder, check
        self.card = options.device != "cpu"

    def place(self, port):
        (self.folder / "kbx.toml").write_text(
            '[providers.here]\ndialect = "vllm"\nbase_url = "http://127.0.0.1:%d/v1"\nconcurrency = 8\n'
            '[models.scripted]\nprovider = "here"\nid = "scripted"\nmax_output = 30000\ncontext = 100000\n%s' % (port, TUNED)
        )

    def call(self, *words):
        begun = time.monotonic()
        done = subprocess.run([self.kbx, *map(str, words), "--device", self.device], cwd=self.folder, capture_output=True, text=True)
        print("     kbx %s: %.1f s" % (" ".join(map(str, words[:2])), time.monotonic() - begun), flush=True)
        if done.returncode != 0:
            sys.exit("FAIL exit code %d\n%s" % (done.returncode, (done.stdout + done.stderr)[-3000:]))
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def run(self, method, more, name, mode):
        """One run of a method with its cassette."""
        words = ["--model", "scripted", "--tasks", ",".join(method_script.TASKS), "--run", self.folder / name, "--seed", 7, "--second-look", "off"]
        return self.call("run", method, *words, *more, "--cassette", self.folder / (method + "-tape"), "--cassette-mode", mode, "--json")

    def blob(self, name, hash):
        return (self.folder / name / "blobs" / hash[:2] / hash).read_text()

    def candidates(self, name, task):
        """The run's candidates of a task by id: which text it is, its record, what the loop was told."""
        sql = "SELECT e.candidate, e.code, r.record, e.feedback FROM evaluation AS e JOIN result AS r ON r.candidate = e.candidate WHERE e.task = '%s' ORDER BY e.seq"
        rows = run_rows.rows(self.folder / name, sql % task)
        return {id: (method_script.name_of(self.blob(name, code)), json.loads(record), json.loads(told)) for id, code, record, told in rows}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def time_of(record):
    """The geometric mean over the sizes."""
    return math.exp(sum(math.log(size["candidate_us"]) for size in record["timing"]["sizes"]) / len(record["timing"]["sizes"]))


def size_lines(record):
    """What docs/methods.md promises of each size, in the words of the prompts."""
    lines = []
    for s in record["timing"]["sizes"]:
        line = "%s: %.4g us, %.3gx" % (s["case"], s["candidate_us"], s["speedup"])
        if s["iou"] is not None:  # the card's peaks are known
            line += ", %.0f %% of the memory bandwidth" % (100 * s["iou"])
        lines.append((line, "bound by memory" if s["limit"] == "memory" else "bound by the %s units" % s["limit"] if s["limit"] else ""))
    return lines


def speedup_line(told):
    return "speedup over PyTorch: %.3gx" % told["speedup"]


def roofline_line(told):
    return "%.0f %% of the roofline" % (100 * told["roofline"])


def check_records(bench, name, task, found):
    """Right ones are right, the others are not; on a card each right one has all its times, and the records are what was told."""
    check = bench.check
    verdicts = {id: (text, record["verdict"]) for id, (text, record, _) in found.items()}
    check(all((text != "wrong") == (verdict == "correct") for text, verdict in verdicts.values()), "%s, %s: right and wrong are told apart" % (name, task), verdicts)
    right = {}
    for text, record, told in found.values():
        if text != "wrong":
            right.setdefault(text, (record, told))
    if not bench.card:
        check(all(not record.get("timing") and "speedup" not in told for record, told in right.values()), "%s, %s: no time without a card" % (name, task))
        return right
    sizes = [size for record, _ in right.values() for size in (record.get("timing") or {}).get("sizes", [{}])]
    timed = all(size.get("by") == "replay" and size.get("low", 0) > 0 for size in sizes)
    check(timed, "%s, %s: every size is timed by replay" % (name, task), sizes)
    if not timed:
        return {}
    check(all(record["device"].startswith("cuda") for record, _ in right.values()), "%s, %s: judged on the card" % (name, task))
    check(all(told["speedup"] == record["timing"]["speedup"] and "roofline" in told for record, told in right.values()), "%s, %s: the loop was told the record's speedup" % (name, task))
    times = [time_of(right[text][0]) for text in ("fast", "middle", "slow") if text in right]
    check(len(times) == 3 and times == sorted(times), "%s, %s: fast, middle, slow are so: %s us" % (name, task, [round(t, 1) for t in times]))
    return right


def check_answer(bench, name, task, ends, found, right):
    """The fastest right kernel is the answer."""
    end = ends[task]
    text = found.get(end["candidate"], ("none",))[0]
    best = min(right, key=lambda text: time_of(right[text][0])) if bench.card and right else None
    bench.check(end["verdict"] == "correct" and (text == best if best else text in right), "%s, %s: the answer is %s" % (name, task, best or "a right kernel"), (text, end))


def check_tuned(bench, name, asked, ends):
    """KernelAgent: the optimise phase with the figures of every size, since it may see the cases that count."""
    check = bench.check
    for task in method_script.TASKS:
        found = bench.candidates(name, task)
        right = check_records(bench, name, task, found)
        check_answer(bench, name, task, ends, found, right)
        of = {kind: [text for (t, k), text in asked if t == task and k == kind] for kind in ("bottleneck", "rewrite", "look_back", "refine")}
        check(len(of["refine"]) > 0 and "correct: no" in of["refine"][0], "%s, %s: a wrong kernel is mended" % (name, task))
        counts = {kind: len(texts) for kind, texts in of.items() if kind != "refine"}
        check(counts == ({"bottleneck": 2, "rewrite": 3, "look_back": 3} if bench.card else {"bottleneck": 0, "rewrite": 0, "look_back": 0}), "%s, %s: questions of the optimise phase" % (name, task), counts)
        if not bench.card or len(right) < 3:
            continue
        for text, questions in (("slow", of["bottleneck"][:1] + of["rewrite"][:2]), ("fast", of["bottleneck"][1:] + of["rewrite"][2:])):
            record, told = right[text]
            words = [word for pair in size_lines(record) for word in pair] + [speedup_line(told), roofline_line(told)]
            missing = [word for word in words for question in questions if word not in question]
            check(not missing and len(questions) > 1, "%s, %s: the questions on the %s kernel hold its figures: %s" % (name, task, text, "; ".join(words[:2] + words[-2:])), missing)
        last = of["rewrite"][-1]
        missing = [word for word in (speedup_line(right["fast"][1]), speedup_line(right["middle"][1]), "Bytes in flight decide.", "## The card") if word not in last]
        check(not missing, "%s, %s: the second round knows the tries and lessons of the first, and the card" % (name, task), missing)
        both = [q for q in of["look_back"] if speedup_line(right["slow"][1]) in q and speedup_line(right["fast"][1]) in q]
        check(len(both) == 1, "%s, %s: the look back has both speedups" % (name, task))


def check_geak(bench, name, asked, ends):
    """GEAK: ancestors from the slowest to the fastest with their figures, and no size of those that count."""
    check = bench.check
    for task in method_script.TASKS:
        found = bench.candidates(name, task)
        right = check_records(bench, name, task, found)
        check_answer(bench, name, task, ends, found, right)
        texts = [[found["%s/%d/%d/0" % (task, round, slot)][0] for slot in range(2)] for round in range(4)]
        check(texts[:2] == [["wrong"] * 2, ["slow"] * 2] and sorted(texts[2]) == ["fast", "middle"], "%s, %s: wrong, mended, optimised" % (name, task), texts)
        of = [text for (t, kind), text in asked if t == task and kind == "ancestors"]
        shown = [[line for line in text.splitlines() if line.startswith("### Reference")] for text in of]
        check([len(lines) for lines in shown] == [1, 1, 3, 3], "%s, %s: ancestors in the questions" % (name, task), shown)
        if not bench.card:
            check(all("not timed" in line for lines in shown for line in lines), "%s, %s: no speedup without a card" % (name, task), shown)
            continue
        if len(right) < 3:
            continue
        speedups = ["### Reference %d, speedup %.3gx" % (k + 1, right[text][1]["speedup"]) for k, text in enumerate(("slow", "middle", "fast"))]
        check(shown[0] == speedups[:1] and shown[-1] == speedups, "%s, %s: from the slowest to the fastest: %s" % (name, task, speedups), shown)
        words = [word for _, told in right.values() for word in (speedup_line(told), roofline_line(told))]
        check(all(word in of[-1] for word in words) and "## The card" in of[-1], "%s, %s: the questions hold the figures of all three" % (name, task), words)
        cases = [size["case"] for size in right["fast"][0]["timing"]["sizes"]]
        check(not any(case in text for text in of for case in cases), "%s, %s: and no size of those that count" % (name, task), cases)


def check_replay(bench, method, more, name):
    """The same again at a port where nobody listens."""
    bench.place(free_port())
    bench.run(method, more, name + "-replayed", "replay")
    run, again = bench.folder / name, bench.folder / (name + "-replayed")
    for what in (run_rows.answers, run_rows.verdicts, run_rows.memories, run_rows.prompts, run_rows.ledger, run_rows.seen):
        bench.check(what(run) == what(again), "%s replayed: %s are equal" % (name, what.__name__), [p for p in zip(what(run), what(again)) if p[0] != p[1]][:2])


def check_reward(bench, script):
    """kbx eval --reward pays a fast kernel more than a slow one, by the formula of docs/reward.md, and a wrong one nothing."""
    rows = [{"task": task, "id": task + " " + name, "code": script.texts[task][name]} for task in method_script.TASKS for name in ("slow", "fast", "tail lost")]
    (bench.folder / "candidates.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ["--run", bench.folder / "rewarded", "--seed", 7, "--second-look", "off", "--quiet", "--json", "--reward", SPEC]
    of = {line.get("candidate"): line for line in bench.call("eval", "candidates.jsonl", *words)}
    for task in method_script.TASKS:
        slow, fast, wrong = (of.get("%s %s" % (task, name), {}).get("reward") or {} for name in ("slow", "fast", "tail lost"))
        bench.check(wrong.get("score") == 0, "reward, %s: nothing for a wrong kernel" % task, wrong)
        if not bench.card:
            holds = slow.get("efficiency", 0) is None and slow.get("score") == fast.get("score") and 0.2 < slow.get("score", 0) <= slow.get("most", 0) == 0.5
            bench.check(holds, "reward, %s: without a card no efficiency, and equal pay" % task, (slow, fast))
            continue
        for name, reward in (("slow", slow), ("fast", fast)):
            sizes = ((of.get("%s %s" % (task, name)) or {}).get("timing") or {}).get("sizes") or []
            shares = [min(1, max(s["bound_us"], s["floor_us"]) / s["candidate_us"] * s["low"] / s["speedup"]) for s in sizes]
            mean = math.exp(sum(map(math.log, shares)) / len(shares)) if shares else -1
            holds = abs((reward.get("efficiency") or 0) - mean) < 1e-9 and abs(reward["score"] - (0.2 + 0.3 * reward["fidelity"] + 0.5 * mean)) < 1e-9
            bench.check(holds, "reward, %s: %s is paid %.3f, efficiency %.3f, by the formula" % (task, name, reward.get("score") or 0, mean), reward)
        bench.check((fast.get("score") or 0) > (slow.get("score") or 0), "reward, %s: speed is paid for" % task, (slow, fast))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kbx", type=pathlib.Path)
    parser.add_argument("--device", default="cuda:0", help="cpu: what is not about times, without a card")
    parser.add_argument("--tasks", type=int, default=3, help="the first N of three")
    parser.add_argument("--keep", type=pathlib.Path, help="a new folder for the runs")
    options = parser.parse_args()
    if options.device != "cpu" and not os.path.exists("/dev/nvidiactl"):
        print("skipped: this machine has no NVIDIA GPU")
        return 77
    python = os.environ.get("KBX_PYTHON") or sys.executable  # kbx runs in another folder
    os.environ["KBX_PYTHON"] = os.path.abspath(python) if "/" in python else python
    method_script.TASKS = method_script.TASKS[: options.tasks]
    check = Checks()
    suite = options.kbx.resolve().parent.parent / "share" / "kbx" / "suite"
    with tempfile.TemporaryDirectory() as scratch:
        folder = (options.keep or pathlib.Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        bench = Bench(options, folder, check)
        for method, more, look in (("tuned", [], check_tuned), ("geak", ["--rounds", 4, "--samples", 2], check_geak)):
            with scripted_model.Server(method_script.Script(suite).answer) as server:
                bench.place(server.port)
                lines = bench.run(method, more, method, "record")
                check(not server.unknown, "%s: every question is known" % method, server.unknown)
                look(bench, method, list(server.asked), {line["task"]: line for line in lines if "task" in line})
            check_replay(bench, method, more, method)
        check_reward(bench, method_script.Script(suite))
    print("%d checks, %d failed" % (check.count, check.failed))
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
