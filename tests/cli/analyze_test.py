"""kbx analyze, diff and merge as people call them: exit codes, files, what is refused.

Usage: analyze_test.py KBX. Makes its runs with build/tests/report_make_run (made-up records, hostile texts among them).
Exit code 1 and one line a fault if something fails.
"""

import json
import pathlib
import sys
import tempfile
import xml.dom.minidom

from made_runs import check, faults, kbx, make_run


def cell(text, table, row, column):
    """A cell of the JSON form: of the first row that has these values."""
    found = next(t for t in json.loads(text)["tables"] if t["id"] == table)
    return next(r for r in found["rows"] if all(r[k] == v for k, v in row.items()))[column]


def tables(folder, timed, hostile):
    """The forms of kbx analyze."""
    code, out, err = kbx("analyze", timed, hostile, "--format", "json")
    check(code == 0, "analyze ends well: " + err)
    share = cell(out, "stages_by_method", {"method": "model_1"}, "correct")
    check(0 <= share["low"] <= share["value"] <= share["high"] <= 1, "a share lies in its interval: %r" % share)
    lacking = {t["id"]: t["lacking"] for t in json.loads(out)["tables"]}
    check("two rounds" in (lacking["rounds"] or ""), "too little data is said")
    for form in ("text", "md", "csv", "latex"):
        code, out, err = kbx("analyze", timed, hostile, "--format", form, "-o", folder / ("out." + form))
        check(code == 0 and not out and (folder / ("out." + form)).stat().st_size > 1000, form + " goes to a file")
    check("<script>" not in (folder / "out.md").read_text(), "Markdown holds no element that a candidate wrote")
    check("\x1b" not in (folder / "out.text").read_text(), "no control characters for a terminal")
    code, out, err = kbx("analyze", timed, "--format", "svg", "-o", folder / "figures")
    pictures = sorted((folder / "figures").glob("*.svg"))
    check(code == 0 and len(pictures) >= 3, "one picture a figure")
    for picture in pictures:
        xml.dom.minidom.parse(str(picture))
    code, out, err = kbx("analyze", timed, "--format", "svg", "--table", "fast_p", "-o", "-")
    check(code == 0 and out.startswith("<svg"), "one picture alone goes to standard output")
    code, out, err = kbx("analyze", timed, "--method", "*.jsonl:*=all", "--table", "stages_by_method", "--format", "json")
    check([r["method"] for r in json.loads(out)["tables"][0]["rows"]] == ["all"], "a rule names the method")
    code, out, err = kbx("analyze", timed, "--against", "paper", "--table", "against_paper")
    check(code == 0 and "not comparable because" in out and "52.3 %" in out, "published figures stand beside ours")


def bad_input(folder, timed):
    """What is refused, and how."""
    for arguments, words in (
        (["analyze", folder / "nowhere"], "not a kbx run"),
        (["analyze", timed, "--table", "speeed"], "did you mean speed"),
        (["analyze", timed, "--method", "nonsense"], "GLOB=NAME"),
        (["analyze", timed, "--format", "svg", "-o", "-"], "choose one with --table"),
        (["analyze", timed, "--format", "svg", "--table", "rounds"], "too little data"),
        (["merge", timed, "-o", folder / "m0"], "at least two"),
        (["merge", timed, timed, "-o", folder / "m0", "--allow", "everything"], "engine, seed and tasks"),
        (["diff", timed, folder / "nowhere"], "not a kbx run"),
    ):
        code, _, err = kbx(*arguments)
        check(code == 2 and words in err, "%s: exit code 2 and %r, not %d and %r" % (arguments, words, code, err[-300:]))


def diff_and_merge(folder, timed, many):
    """Differences and joined runs."""
    code, out, err = kbx("diff", timed, timed, "--fail-on-regression")
    check(code == 0 and "same verdict" in out, "a run does not differ from itself: " + err)
    code, out, err = kbx("diff", many, timed, "--format", "json")
    check(code == 0 and cell(out, "diff", {"what": "in both"}, "candidates") == 12, "the first twelve of many are the timed ones")
    code, out, err = kbx("merge", timed, many, "-o", folder / "merged")
    check(code == 0, "runs are merged: " + err)
    code, out, err = kbx("analyze", folder / "merged", "--table", "runs", "--format", "json")
    merged = json.loads(out)["tables"][0]["rows"][0]["candidates"]
    # The first twelve of many have the timed ones' keys; the five that are correct have no times there, so both stay.
    check(code == 0 and merged == 12 + 30 - 7, "equal results are kept once, others under one key both: %r" % merged)
    code, out, err = kbx("merge", timed, many, "-o", folder / "merged")
    check(code == 2 and "already" in err, "a run is not written over")


with tempfile.TemporaryDirectory() as name:
    base = pathlib.Path(name)
    for kind, more in (("timed", []), ("hostile", []), ("many", ["30"])):
        make_run(base / kind, kind, *more)
    tables(base, base / "timed", base / "hostile")
    bad_input(base, base / "timed")
    diff_and_merge(base, base / "timed", base / "many")
sys.exit(1 if faults else 0)
