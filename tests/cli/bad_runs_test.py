"""Bad and odd runs given to analyze, diff, merge, dataset, site and report: a clear error or a whole result, nothing half.

Usage: bad_runs_test.py KBX. Makes a run with build/tests/report_make_run and spoils copies of it.
Exit code 1 and one line a fault if something fails.
"""

import json
import pathlib
import shutil
import sqlite3
import sys
import tempfile

from made_runs import check, faults, kbx, make_run

SUITE = pathlib.Path(__file__).resolve().parents[2] / "suite"


def spoiled(good, name, *statements):
    """A copy of the run after these statements."""
    folder = good.with_name(name)
    shutil.copytree(good, folder)
    db = sqlite3.connect(folder / "run.db")
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()
    return folder


def commands(good, run, out):
    """Every verb over this run: name, arguments, what it writes."""
    return (
        ("analyze", ("analyze", run, "-o", out / "a.txt"), out / "a.txt"),
        ("report", ("report", run, "-o", out / "r.html"), out / "r.html"),
        ("site", ("site", run, "-o", out / "site"), out / "site"),
        ("dataset", ("dataset", run, "-o", out / "data", "--suite", SUITE), out / "data"),
        ("diff", ("diff", good, run), None),
        ("merge", ("merge", good, run, "-o", out / "merged"), out / "merged"),
    )


def all_verbs(good, run, expected, words=""):
    """Runs all; `expected` is the exit code, or one for each verb that differs from 0."""
    out = run.with_name(run.name + " out")
    out.mkdir()
    for name, arguments, written in commands(good, run, out):
        wanted = expected.get(name, 0) if isinstance(expected, dict) else expected
        code, _, err = kbx(*arguments)
        check(code == wanted, f"{name} of {run.name}: exit code {code}, expected {wanted}: {err[-300:]}")
        if wanted:
            check(words in err, f"{name} of {run.name} says why: {err[-300:]}")
            check("while while" not in err, f"{name} of {run.name}: {err}")
        if written:
            check(written.exists() == (wanted == 0), f"{name} of {run.name}: {written.name} is whole or not there")
    check(not list(out.glob("*.part")), f"{run.name}: nothing half is left: {list(out.glob('*.part'))}")
    return out


def odd(good):
    """Runs that are fine, and little or strange."""
    all_verbs(good, spoiled(good, "empty", "DELETE FROM job"), {"dataset": 2}, "no program to write")
    out = all_verbs(good, spoiled(good, "one", "DELETE FROM job WHERE ordinal > 0"), 0)
    text = (out / "a.txt").read_text()
    check("not enough data" in text and "nan" not in text.replace("nan ", ""), "one candidate: what is missing is said")
    all_verbs(good, spoiled(good, 'näme 名 "x"', "UPDATE job SET candidate = '名 🙂/' || candidate, task = 'naïve' || task WHERE ordinal < 3"), 0)
    right = "UPDATE job SET verdict = 'correct', paper = 'correct', call_ok = 1, exe_ok = 1"
    out = all_verbs(good, spoiled(good, "right", right), 0)
    check("no outcome varies" in (out / "a.txt").read_text(), "all correct: nothing to explain")


def other_engine(good):
    """Runs of another engine are told apart, and joined only when that is asked for."""
    run = spoiled(good, "older", "UPDATE job SET record = json_set(record, '$.engine_version', '0.0.1')")
    all_verbs(good, run, {"merge": 2}, "engine")
    code, out, _ = kbx("analyze", good, run, "--table", "runs")
    check(code == 0 and "engine version" in out and "0.0.1" in out, "analyze says that two engines judged")
    code, _, err = kbx("merge", good, run, "-o", good.with_name("joined"), "--allow", "engine")
    check(code == 0, "merge joins them when asked: " + err)


def damaged(good):
    """Runs that a disk or a hand has spoiled."""
    all_verbs(good, spoiled(good, "record", "UPDATE job SET record = '{not json' WHERE ordinal = 2"), {"analyze": 3, "report": 2, "site": 2, "dataset": 2, "merge": 2})
    run = good.with_name("pages")
    shutil.copytree(good, run)
    content = (run / "run.db").read_bytes()
    (run / "run.db").write_bytes(content[: len(content) // 2])
    all_verbs(good, run, 3, "damaged")
    run = good.with_name("blobs gone")
    shutil.copytree(good, run)
    shutil.rmtree(run / "blobs")
    out = all_verbs(good, run, {"dataset": 3}, "damaged")
    check("not in the run's blobs" in (out / "r.html").read_text(), "a report says that code is missing")
    (good.with_name("folder")).mkdir()
    all_verbs(good, good.with_name("folder"), 2, "is not a kbx run")


def twice(good):
    """The same folder named twice would count every candidate twice."""
    for words in (("analyze",), ("report", "-o", good.with_name("t.html")), ("site", "-o", good.with_name("t")), ("dataset", "-o", good.with_name("t"), "--suite", SUITE)):
        code, _, err = kbx(words[0], good, good / "." / "", *words[1:])
        check(code == 2 and "named twice" in err, f"{words[0]} of one run named twice: {code} {err[-200:]}")
    code, out, err = kbx("diff", good, good)
    check(code == 0, f"a run does not differ from itself: {code} {err}")
    code, _, err = kbx("merge", good, good, "-o", good.with_name("self"))
    check(code == 2 and "named twice" in err, f"merge of a run with itself: {code} {err}")
    code, out, err = kbx("merge", good, spoiled(good, "copy"), "-o", good.with_name("both"))
    check(code == 0 and "12 results" in out + err, "merge keeps equal results once: " + out + err)


def left_out(good):
    """The rule `-` takes candidates out of every verb that knows rules."""
    rule = ("--method", "model_1*=-")
    code, out, _ = kbx("analyze", good, *rule, "--table", "stages_by_method", "--format", "json")
    check(code == 0 and "model_1" not in out and '"-"' not in out, "analyze leaves them out")
    site = good.with_name("without")
    code, _, err = kbx("site", good, "-o", site, *rule)
    lines = [json.loads(line) for line in (site / "data" / "candidates.jsonl").read_text().splitlines()]
    check(code == 0 and len(lines) == 9 and not any("model_1" in line["candidate"] or line["method"] == "-" for line in lines), f"site leaves them out: {len(lines)}")
    check("3 left out by a rule" in err, "site says so: " + err)
    methods = [m["name"] for m in json.loads((site / "data" / "leaderboard.json").read_text())["methods"]]
    check("-" not in methods and "model_1" not in methods, f"no such method: {methods}")
    code, out, _ = kbx("dataset", good, "-o", good.with_name("less"), "--suite", SUITE, "--json", *rule)
    said = json.loads(out)
    check(code == 0 and (said["candidates"], said["left_out_by_rule"]) == (9, 3), f"dataset leaves them out: {said}")
    check(all("model_1" not in path.read_text() for path in good.with_name("less").rglob("*.jsonl")), "no row of theirs is written")


def bad_words(good):
    """Wrong words on the command line."""
    for words, said in (
        (("analyze", good, "--against", good / "no.jsonl"), "no.jsonl"),
        (("analyze", good, "--table", "no_table"), "there is no table"),
        (("analyze", good, "--method", "x"), "GLOB=NAME"),
        (("dataset", good, "-o", good.with_name("w"), "--split", "0,0,0"), "--split"),
        (("dataset", good, "-o", good.with_name("w"), "--format", ""), "--format"),
        (("site", good, "-o", good), "already holds something"),
        (("merge", good, "-o", good), ""),
    ):
        code, _, err = kbx(*words)
        check(code in (2, 3) and said in err, f"{words}: {code} {err[-200:]}")
    check((good / "run.db").exists(), "the run is still there")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        good = make_run(pathlib.Path(scratch) / "good", "timed")
        for part in (odd, other_engine, damaged, twice, left_out, bad_words):
            part(good)
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
